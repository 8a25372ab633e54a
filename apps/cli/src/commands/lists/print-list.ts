import type { TextProblem } from "@cogency/skills/node";
import { note } from "../../base/terminal/note.ts";
import { put, putLine } from "../../base/terminal/output.ts";
import { putTable } from "../../base/terminal/put-table.ts";
import { problemLine } from "../../place/texts/find-texts.ts";

/** How a list of things of one kind is printed. */
export interface ListForm<Item> {
  /** Whether it is one JSON array. */
  readonly json: true | undefined;
  /** What programs get of an item. */
  object(item: Item): object;
  /** What a person reads of it, in columns, free of control characters. */
  row(item: Item): readonly string[];
  /** Printed in place of an empty list. */
  readonly none: string;
  /** Told on stderr. */
  readonly problems?: readonly TextProblem[];
}

/** The body of `cogency … list`. */
export async function printList<Item>(
  items: readonly Item[],
  { json, object, row, none, problems = [] }: ListForm<Item>,
): Promise<void> {
  if (json) await putLine(items.map(object));
  else if (items.length === 0) await put(`${none}\n`);
  else await putTable(items.map(row));
  for (const problem of problems) note(`Left out: ${problemLine(problem)}`);
}
