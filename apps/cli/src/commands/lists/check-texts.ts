import { projectFiles } from "../../place/config/project.ts";
import { problemLine, type ReadTexts } from "../../place/texts/find-texts.ts";
import { ownFoldersOf, type TextKind } from "../../place/texts/text-folders.ts";
import { printFaults } from "./print-faults.ts";

/** How texts of one kind are checked. */
export interface TextCheck<Item> {
  readonly kind: TextKind;
  /** What one of them is: `skill`. */
  readonly one: string;
  read(place: string): Promise<ReadTexts<Item>>;
  /** What is wrong with a place that was named and holds none. */
  readonly nothing: string;
  /** A line about an item that is no fault. */
  remark?(item: Item): string | undefined;
}

/**
 * Prints every fault of texts, with its line and what to write instead.
 *
 * @param named the person's own folders and those of the project if empty
 * @returns the exit code: 1 if something is wrong, or if a place that was named holds none
 * @throws UsageError for a place that there is not
 */
export async function checkTexts<Item>(
  { kind, one, read, nothing, remark = () => undefined }: TextCheck<Item>,
  named: readonly string[],
): Promise<number> {
  const usual = new Set([...ownFoldersOf(kind), ...projectFiles(".").textFolders[kind]]);
  return printFaults(one, named.length > 0 ? named : usual, async (place) => {
    const { items, problems } = await read(place);
    const isEmpty = named.length > 0 && items.length === 0 && problems.length === 0;
    return {
      valid: items.length,
      faults: isEmpty ? [`${place}: ${nothing}`] : problems.map(problemLine),
      remarks: items.flatMap((item) => remark(item) ?? []),
    };
  });
}
