import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import {
  callback,
  checkOption,
  checkOptions,
  listOf,
  name,
  type OptionTable,
  object,
  required,
  text,
} from "@cogency/protocol/options";
import type { Content } from "@cogency/tools";
import { isBelow } from "./is-below.ts";
import { readSmallFile, UnreadableFile } from "./read-small-file.ts";
import type { TextProblem, TextProblemCode } from "./text-problem.ts";

export interface ReadTextsOptions {
  /** A folder that no file may lie outside of, by its real path. Defaults to no limit: the folders are the person's own. */
  within?: string | undefined;
  /** What each text brings into a conversation, or a function that decides by the file. Defaults to nothing. */
  holds?: readonly Content[] | ((file: TextFile) => readonly Content[]) | undefined;
}

export const readTextsTable: OptionTable<ReadTextsOptions> = {
  within: text,
  holds: { wanted: "an array or a function", isOfType: (value) => Array.isArray(value) || typeof value === "function" },
};

/** A file as it was read. */
export interface TextFile {
  /** Its path below the folder that was given. */
  readonly file: string;
  /** Its real path. */
  readonly real: string;
  /** All of it, with the front matter. */
  readonly source: string;
}

/** What a file is read as: a skill, a command. */
export interface TextFormat<Item extends { readonly name: string; readonly file: string }> {
  /** What it is, as in "The skill zip is left out". */
  readonly kind: string;
  /**
   * @param place the real path of the folder that holds the file
   * @param holds what the text brings into a conversation; undefined for nothing
   */
  parse(
    file: TextFile,
    place: string,
    holds: readonly Content[] | undefined,
  ): { readonly item?: Item | undefined; readonly problems: readonly Omit<TextProblem, "file">[] };
}

export interface FoundTexts<Item> {
  /** Sorted by name. */
  readonly items: readonly Item[];
  readonly problems: readonly TextProblem[];
}

/**
 * Reads files as texts of one kind. Of two with one name the earlier one counts, and the other is a problem. A file that does not exist
 * is left out without a word. Each file is a regular one of at most 256 KiB; with `within`, no link leads out of that folder. A file
 * that two names lead to counts once. Nothing in them is run.
 */
export function readTexts<Item extends { readonly name: string; readonly file: string }>(
  files: readonly string[],
  format: TextFormat<Item>,
  options: ReadTextsOptions = {},
): FoundTexts<Item> {
  checkOption("readTexts", "files", files, required(listOf(text, "an array of paths")));
  checkOption("readTexts", "format", format, required(object));
  checkOption("readTexts", "format.kind", format.kind, required(name));
  checkOption("readTexts", "format.parse", format.parse, required(callback));
  checkOptions<ReadTextsOptions>("readTexts", options, readTextsTable);
  const found = new Map<string, Item>();
  const problems: TextProblem[] = [];
  const read = new Set<string>();
  for (const file of files) {
    const one = readOne(file, format, options, read);
    if (one === undefined) continue;
    problems.push(...one.problems.map((problem) => ({ ...problem, file })));
    const { item } = one;
    if (item === undefined) continue;
    const first = found.get(item.name);
    if (first === undefined) found.set(item.name, item);
    else problems.push(taken(format.kind, item, first.file));
  }
  return { items: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}

/** @param first where the one that counts is, as a person finds it */
function taken(kind: string, { name, file }: { name: string; file: string }, first: string): TextProblem {
  const message = `The ${kind} ${name} is left out, because ${first} has this name and comes first. Rename one of the two.`;
  return { code: "name_taken", file, line: 1, message };
}

/** Undefined for a file that there is not, and for one that was read by another name. */
export function readOne<Item extends { readonly name: string; readonly file: string }>(
  file: string,
  format: TextFormat<Item>,
  { within, holds }: ReadTextsOptions,
  read: Set<string>,
): ReturnType<TextFormat<Item>["parse"]> | undefined {
  const unreadable = (message: string, code: TextProblemCode = "file_unreadable") => ({
    problems: [{ code, line: 1, message }],
  });
  try {
    const [real, place] = [realpathSync.native(file), realpathSync.native(dirname(file))];
    if (within !== undefined) {
      const limit = realpathSync.native(within);
      if (!isBelow(limit, real) || !isBelow(limit, place))
        return unreadable("It leads out of the project. Put the file itself there.");
    }
    if (read.has(real)) return undefined;
    read.add(real);
    const found = { file, real, source: readSmallFile(real) };
    return format.parse(found, place, typeof holds === "function" ? holds(found) : holds);
  } catch (error) {
    if (error instanceof UnreadableFile) {
      const advice = error.code === "file_too_large" ? " Move parts of it to other files." : "";
      return unreadable(`The file ${error.message}${advice}`, error.code);
    }
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code === undefined) throw error;
    return unreadable(`The file cannot be read: the system reported ${code}.`);
  }
}
