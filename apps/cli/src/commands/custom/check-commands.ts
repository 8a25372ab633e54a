import type { FoundCommand } from "@cogency/skills/node";
import { checkTexts } from "../lists/check-texts.ts";
import { commandsIn } from "./commands-in.ts";

/**
 * `cogency commands check`, which names also the fields that mean nothing here; see `checkTexts`.
 *
 * @param reserved names that no command may have
 */
export function checkCommands(named: readonly string[], reserved: readonly string[]): Promise<number> {
  const read = (folder: string) => commandsIn(folder, reserved);
  const nothing = "There is no Markdown file in this folder.";
  return checkTexts({ kind: "commands", one: "command", read, nothing, remark: ignoredFields }, named);
}

function ignoredFields({ file, ignored = [] }: FoundCommand): string | undefined {
  return ignored.length > 0 ? `${file}: means nothing here: ${ignored.join(", ")}.` : undefined;
}
