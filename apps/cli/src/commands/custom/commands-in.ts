import { existsSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { FoundCommand, TextProblem } from "@cogency/skills/node";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { kindFoldersIn } from "../../place/texts/text-folders.ts";

/** What a person named, which is read whether or not it is trusted: nothing of it is used. */
export interface CommandsIn {
  readonly commands: readonly FoundCommand[];
  readonly problems: readonly TextProblem[];
}

/**
 * The commands of a folder that a person names, or of a project: then of the folders in it that hold commands. A file stands for
 * itself.
 *
 * @throws UsageError if there is no such folder
 */
export async function commandsIn(named: string, reserved: readonly string[]): Promise<CommandsIn> {
  const { readCommands } = await import("@cogency/skills/node");
  const path = resolve(named);
  if (!existsSync(path)) throw new UsageError(`There is no folder ${oneLine(named, 300)}.`);
  if (!statSync(path).isDirectory()) {
    const all = await readCommands([dirname(path)], { reserved });
    const isIt = ({ file }: { file: string }) => basename(file) === basename(path) && dirname(file) === dirname(path);
    return { commands: all.commands.filter(isIt), problems: all.problems.filter(isIt) };
  }
  const inside = kindFoldersIn("commands", [path]);
  return readCommands(inside.length > 0 ? inside : [path], { reserved });
}
