import type { Place } from "../../harness/place.ts";
import type { Terminal } from "../../harness/terminal.ts";

export type Call = { name: string; args: Record<string, unknown> };

export function runOf(place: Place, calls: readonly Call[]): string[] {
  return ["run", "go", "--conversation", "c", ...place.model([calls])];
}

/** Waits for the question. @returns the length of the output so far */
export async function asked(terminal: Terminal): Promise<number> {
  if (!(await terminal.until(/wants to run/))) throw new Error(`No question was put: ${terminal.shown().slice(-300)}`);
  await terminal.idle(250);
  return terminal.shown().length;
}
