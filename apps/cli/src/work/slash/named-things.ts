import { nearestNames } from "@cogency/protocol/options";
import type { TextProblem } from "@cogency/skills/node";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { Rows } from "../../person/turn/remark.ts";
import { problemLine } from "../../place/texts/find-texts.ts";
import type { CommandView } from "./shared-command.ts";

/** Shows things of one kind, and which ones are left out. @param none shown where there are no rows */
export function showList(view: CommandView, rows: Rows, problems: readonly TextProblem[], none: string): void {
  if (rows.length === 0) view.remark(none);
  else view.list(rows);
  for (const problem of problems) view.remark(`Left out: ${problemLine(problem)}`, "warning");
}

/**
 * @param one what is named, such as `skill`; `/skills` lists them
 * @throws UsageError if there is none of this name
 */
export function checkName(one: string, name: string, names: readonly string[]): void {
  if (names.includes(name)) return;
  const [nearest] = nearestNames(name, names);
  const advice = nearest === undefined ? `/${one}s lists those that there are.` : `Did you mean ${nearest}?`;
  throw new UsageError(`There is no ${one} ${oneLine(name, 80)}. ${advice}`);
}
