import { put } from "../../base/terminal/output.ts";
import { counted, visible } from "../../base/terminal/text.ts";

/** What was found at one place, such as a folder or a file. */
export interface Checked {
  readonly valid: number;
  /** One line for each. */
  readonly faults: readonly string[];
  /** Lines about what is no fault. */
  readonly remarks?: readonly string[];
}

/**
 * The body of `cogency … check`: prints each fault at some places, and how many there are.
 *
 * @param one what is counted, such as `skill`
 * @returns the exit code: 1 if something is wrong
 */
export async function printFaults(
  one: string,
  places: Iterable<string>,
  check: (place: string) => Promise<Checked>,
): Promise<number> {
  let [valid, wrong] = [0, 0];
  for (const place of places) {
    const found = await check(place);
    valid += found.valid;
    wrong += found.faults.length;
    for (const line of [...found.faults, ...(found.remarks ?? [])]) await put(`${visible(line)}\n`);
  }
  await put(`${counted(valid, `valid ${one}`)}, ${counted(wrong, "fault")}\n`);
  return wrong === 0 ? 0 : 1;
}
