import { ToolboxError } from "../errors.ts";
import type { ConfinedFolder } from "./confined-folder.ts";
import { compileGlob } from "./glob.ts";
import { type Line, matchingLines } from "./matching-lines.ts";
import { readTextFile, type TextFile } from "./text-file.ts";
import { walkFiles } from "./walk-files.ts";

/** What a search looks for. `pattern` is a glob; without it every file is searched. */
export interface Wanted {
  pattern: string | undefined;
  content: string | undefined;
  signal: AbortSignal;
}

export type Finding<T> = { kind: "found"; found: T } | { kind: "skipped"; reason: SkipReason };

/** `binary`: not UTF-8 text. `large`: over 1 MiB. `unreadable`: a file or folder that could not be opened. */
export type SkipReason = "binary" | "large" | "unreadable";

/** A line that contains the text. */
export interface Match extends Line {
  file: string;
}

/** The paths of the files below `folder`, relative to it, that match the pattern. */
export async function* findFiles(folder: ConfinedFolder, wanted: Wanted): AsyncGenerator<Finding<string>> {
  const isWanted = matcher(wanted.pattern);
  for await (const walked of walkFiles(folder)) {
    wanted.signal.throwIfAborted();
    if (walked.kind === "unreadable") yield { kind: "skipped", reason: "unreadable" };
    else if (isWanted(walked.path)) yield { kind: "found", found: walked.path };
  }
}

/** The lines that contain `content` in the files below `folder` that match the pattern. */
export async function* findLines(
  folder: ConfinedFolder,
  wanted: Wanted & { content: string },
): AsyncGenerator<Finding<Match>> {
  const isWanted = matcher(wanted.pattern);
  for await (const walked of walkFiles(folder)) {
    wanted.signal.throwIfAborted();
    if (walked.kind === "unreadable") {
      yield { kind: "skipped", reason: "unreadable" };
    } else if (isWanted(walked.path)) {
      const file = await readIn(walked.folder, walked.name);
      if (file.kind !== "text") {
        yield { kind: "skipped", reason: SKIP_REASONS[file.kind] };
        continue;
      }
      for (const line of matchingLines(file.text, wanted.content)) {
        yield { kind: "found", found: { file: walked.path, ...line } };
      }
    }
  }
}

/** Bytes of the largest file in which content is looked for. */
export const LARGEST_SEARCHED = 1024 * 1024;

const SKIP_REASONS: Record<Exclude<TextFile["kind"], "text">, SkipReason> = {
  not_text: "binary",
  too_large: "large",
  not_a_file: "unreadable",
};

function matcher(pattern: string | undefined): (path: string) => boolean {
  return pattern === undefined ? () => true : compileGlob(pattern);
}

/** One file that cannot be opened does not end the search. */
async function readIn(folder: ConfinedFolder, name: string): Promise<TextFile> {
  try {
    return await readTextFile(folder, name, LARGEST_SEARCHED);
  } catch (error) {
    if (error instanceof ToolboxError) return { kind: "not_a_file" };
    throw error;
  }
}
