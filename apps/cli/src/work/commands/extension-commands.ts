import type { TextProblem } from "@cogency/skills/node";
import type { OpenExtensions } from "../extensions/open-extensions.ts";
import type { OpenCommand } from "./open-command.ts";

/** The commands that extensions bring. @param taken names that none of them may have */
export function commandsOf(
  extensions: OpenExtensions["extensions"],
  taken: readonly string[],
): { commands: readonly OpenCommand[]; problems: readonly TextProblem[] } {
  const names = new Set(taken);
  const commands: OpenCommand[] = [];
  const problems: TextProblem[] = [];
  for (const { name: place, commands: brought } of extensions) {
    for (const command of brought) {
      if (names.has(command.name)) {
        const message = `The command /${command.name} is left out: another one has this name.`;
        problems.push({ code: "name_taken", file: place, line: 1, message });
        continue;
      }
      names.add(command.name);
      commands.push({ ...command, place, isOwn: false });
    }
  }
  return { commands, problems };
}
