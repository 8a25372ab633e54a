import { existsSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { FoundCommand } from "@cogency/skills/node";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { ReadTexts } from "../../place/texts/find-texts.ts";
import { kindFoldersIn } from "../../place/texts/text-folders.ts";

/**
 * The commands of a folder that a person names, or of a project: then of the folders in it that hold commands. A file stands for
 * itself. They are read whether or not they are trusted: nothing of them is used.
 *
 * @throws UsageError if there is no such folder
 */
export async function commandsIn(named: string, reserved: readonly string[]): Promise<ReadTexts<FoundCommand>> {
  const { readCommands } = await import("@cogency/skills/node");
  const path = resolve(named);
  if (!existsSync(path)) throw new UsageError(`There is no folder ${oneLine(named, 300)}.`);
  const isFolder = statSync(path).isDirectory();
  const inside = kindFoldersIn("commands", [path]);
  const folders = isFolder ? (inside.length > 0 ? inside : [path]) : [dirname(path)];
  const { commands, problems } = await readCommands(folders, { reserved });
  if (isFolder) return { items: commands, problems };
  const isIt = ({ file }: { file: string }) => basename(file) === basename(path) && dirname(file) === dirname(path);
  return { items: commands.filter(isIt), problems: problems.filter(isIt) };
}
