import { join } from "node:path";
import { ToolboxError } from "../../errors.ts";
import { errorCode } from "../../system-error.ts";
import type { ConfinedFolder } from "../confine/confined-folder.ts";
import { compilePattern } from "../glob.ts";
import { type Line, matchingLines } from "../text/matching-lines.ts";
import { largestText, readTextFile, type TextFile } from "../text/text-file.ts";
import type { TextSearch } from "../text/text-search.ts";
import { type Walked, type WalkOptions, walkFiles } from "./walk-files.ts";

/** Which files to search. `pattern` is a glob; without it, every file is searched. */
export interface Wanted extends WalkOptions {
  pattern: string | undefined;
  /** Called with the real path of each file that is searched. */
  onFile?: ((real: string) => void) | undefined;
}

export type Finding<T> = { kind: "found"; found: T } | { kind: "skipped"; reason: SkipReason };

/** `binary`: not UTF-8 text. `large`: over 1 MiB. `unreadable`: a file or folder that could not be opened. */
export type SkipReason = "binary" | "large" | "unreadable";

/** A line that contains the text. */
export interface FileMatch extends Line {
  file: string;
}

/** A file with its text, and the open folder it is in. */
export interface FoundText {
  folder: ConfinedFolder;
  name: string;
  path: string;
  text: string;
}

/** The paths of the files below `folder`, relative to it, that match the pattern. */
export async function* findFiles(folder: ConfinedFolder, wanted: Wanted): AsyncGenerator<Finding<string>> {
  for await (const walked of walkWanted(folder, wanted)) {
    if (walked.kind === "unreadable") yield { kind: "skipped", reason: "unreadable" };
    else yield { kind: "found", found: walked.path };
  }
}

/** The lines that match `search` in the files below `folder` that match the pattern. */
export async function* findLines(
  folder: ConfinedFolder,
  wanted: Wanted,
  search: TextSearch,
): AsyncGenerator<Finding<FileMatch>> {
  for await (const finding of findTexts(folder, wanted)) {
    if (finding.kind === "skipped") {
      yield finding;
      continue;
    }
    for (const line of matchingLines(finding.found.text, search)) {
      yield { kind: "found", found: { file: finding.found.path, ...line } };
    }
  }
}

/** The files below `folder` that match the pattern, with their text. */
export async function* findTexts(folder: ConfinedFolder, wanted: Wanted): AsyncGenerator<Finding<FoundText>> {
  for await (const walked of walkWanted(folder, wanted)) {
    if (walked.kind === "unreadable") {
      yield { kind: "skipped", reason: "unreadable" };
      continue;
    }
    const { name, path } = walked;
    const file = await readIn(walked.folder, name);
    if (file.kind === "text") yield { kind: "found", found: { folder: walked.folder, name, path, text: file.text } };
    else yield { kind: "skipped", reason: skipReasons[file.kind] };
  }
}

const skipReasons: Record<Exclude<TextFile["kind"], "text">, SkipReason> = {
  not_text: "binary",
  too_large: "large",
  not_a_file: "unreadable",
};

async function* walkWanted(folder: ConfinedFolder, { pattern, rules, signal, onFile }: Wanted): AsyncGenerator<Walked> {
  const isWanted = pattern === undefined ? () => true : compilePattern(pattern);
  for await (const walked of walkFiles(folder, { rules, signal })) {
    signal.throwIfAborted();
    if (walked.kind === "unreadable") yield walked;
    else if (isWanted(walked.path)) {
      onFile?.(join(walked.folder.path, walked.name));
      yield walked;
    }
  }
}

/** One file that cannot be opened or read does not end the search. */
async function readIn(folder: ConfinedFolder, name: string): Promise<TextFile> {
  try {
    return await readTextFile(folder, name, largestText);
  } catch (error) {
    if (error instanceof ToolboxError || errorCode(error) !== undefined) return { kind: "not_a_file" };
    throw error;
  }
}
