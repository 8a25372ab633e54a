import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { checkOption, checkOptions, listOf, required, text } from "@cogency/protocol/options";
import type { Command } from "../commands/command.ts";
import { parseCommand } from "../commands/parse-command.ts";
import { isBelow } from "./is-below.ts";
import { type ReadTextsOptions, readTexts, readTextsTable, type TextFormat } from "./read-texts.ts";
import type { TextProblem } from "./text-problem.ts";

export interface FoundCommand extends Command {
  /** The path of its file, below the folder that was given. */
  readonly file: string;
}

export interface ReadCommandsOptions extends ReadTextsOptions {
  /** Names that no command may have, such as those of the program's own. */
  reserved?: readonly string[] | undefined;
}

export interface FoundCommands {
  /** Sorted by name. */
  readonly commands: readonly FoundCommand[];
  readonly problems: readonly TextProblem[];
}

/**
 * Reads the commands of folders: each file `fix.md` is the command `fix`, and `team/fix.md` is `team/fix`. Of two with one name that of
 * the earlier folder counts, and the other one is a problem, as is one with a reserved name. A folder that does not exist has none.
 * Nothing in them is run.
 */
export async function readCommands(
  folders: readonly string[],
  options: ReadCommandsOptions = {},
): Promise<FoundCommands> {
  checkOption("readCommands", "folders", folders, required(listOf(text, "an array of paths")));
  const table = { ...readTextsTable, reserved: listOf(text, "an array of names") };
  checkOptions<ReadCommandsOptions>("readCommands", options, table);
  const { reserved = [], ...rest } = options;
  const names = new Map(
    folders.flatMap((folder) =>
      commandFilesIn(folder, rest.within).map((file) => [file, nameOf(folder, file)] as const),
    ),
  );
  const { items, problems } = readTexts([...names.keys()], formatFor(names, new Set(reserved)), rest);
  return { commands: items, problems };
}

function nameOf(folder: string, file: string): string {
  return relative(folder, file).slice(0, -".md".length).split(sep).join("/");
}

function formatFor(names: ReadonlyMap<string, string>, reserved: ReadonlySet<string>): TextFormat<FoundCommand> {
  return {
    kind: "command",
    parse({ file, source }, _, holds) {
      const name = names.get(file) ?? "";
      const { command, problems } = parseCommand(source, name);
      if (command === undefined) return { problems };
      const message = `/${name} is built in. Rename the file.`;
      if (reserved.has(name)) return { problems: [{ code: "name_taken", line: 1, message }] };
      return { item: { ...command, file, ...(holds && { holds }) }, problems };
    },
  };
}

const deepest = 4;
/** Files of one folder that are read, and entries that are looked at. */
const most = 500;
const mostEntries = 5000;

/** The files of commands in a folder and in those below it, sorted. Hidden ones are left out, and links that lead out of `within`. */
function commandFilesIn(folder: string, within?: string): string[] {
  const files: string[] = [];
  const seen = new Set<string>();
  let entries = 0;
  const walk = (place: string, depth: number): void => {
    const real = realFolder(place, within);
    // The names in a folder outside are nobody's to read, and links may lead in a circle.
    if (real === undefined || seen.has(real)) return;
    seen.add(real);
    for (const entry of entriesIn(place)) {
      if (entries++ >= mostEntries || files.length >= most) return;
      if (entry.name.startsWith(".")) continue;
      const path = join(place, entry.name);
      if (isFolder(entry, path)) {
        if (depth < deepest) walk(path, depth + 1);
      } else if (entry.name.endsWith(".md")) files.push(path);
    }
  };
  walk(folder, 1);
  return files;
}

function isFolder(entry: Dirent, path: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Undefined for a folder that there is not, and for one outside of `within`. */
function realFolder(path: string, within: string | undefined): string | undefined {
  try {
    const real = realpathSync.native(path);
    return within === undefined || isBelow(realpathSync.native(within), real) ? real : undefined;
  } catch {
    return undefined;
  }
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
