import { homedir } from "node:os";
import type { ReadTextsOptions, TextFile, TextProblem } from "@cogency/skills/node";
import type { Content } from "@cogency/tools";
import { isBelow } from "../../base/files/read-regular-file.ts";
import type { Project } from "../config/open-project.ts";
import { withinProject } from "../config/project.ts";
import { hasSeen } from "../config/trust.ts";
import { hashOf, mostContextBytes } from "../context-files.ts";
import { ownFoldersOf, ownTextFolder, type TextKind } from "./text-folders.ts";

/** A text that counts, and where it is from. */
export type Placed<Item> = Item & {
  /** `yours`, `~/…` for a file of the person for another agent, or its path in the project. */
  readonly place: string;
  /** Whether it is the app's own file of the person, which no tool changes. */
  readonly isOwn: boolean;
};

export interface Texts<Item> {
  /** Sorted by name. */
  readonly items: readonly Placed<Item>[];
  readonly problems: readonly TextProblem[];
  /** The names of those that nobody has looked at since they were changed. */
  readonly unseen: readonly string[];
}

export interface TextSources {
  /** The folder that the file tools reach. */
  readonly root: string;
  /** Whether a real path holds untrusted text. */
  readonly isMarked: (real: string) => boolean;
  /** Whether those of the project count, which a person may leave out. */
  readonly ofProject: boolean;
}

/** What was read of texts of one kind. */
export interface ReadTexts<Item> {
  readonly items: readonly Item[];
  readonly problems: readonly TextProblem[];
}

/** How texts of one kind are found. */
export interface TextFinder<Item> {
  readonly kind: TextKind;
  /** What one of them is, as in "The skill zip is left out". */
  readonly one: string;
  /** Loads what reads them, and reads those of folders; of two with one name the first counts. */
  read(folders: readonly string[], options: ReadTextsOptions): Promise<ReadTexts<Item>>;
  /** Its place in the project, from the path of its file in the project. */
  placeOf(file: string): string;
}

/** Where texts of a kind are read. */
export type TextProject = Pick<Project, "textFolders" | "top">;

/**
 * Reads the texts of one kind that count in a folder: the person's own, which come first, then theirs for other agents, then those of a
 * project that is trusted. Nothing is loaded if there is no folder with such texts.
 *
 * What a text of the project says is private. It is untrusted where its file is marked, and where nobody has looked at it since it was
 * changed, as with AGENTS.md. The person's files for other agents are untrusted where they are marked: a tool may have changed them.
 * Those in the project itself, such as in a home folder that is one, count as the project's alone.
 */
export async function findTexts<Item extends { readonly name: string; readonly file: string }>(
  finder: TextFinder<Item>,
  project: TextProject,
  { isMarked, ofProject }: Pick<TextSources, "isMarked" | "ofProject">,
): Promise<Texts<Item>> {
  const ownFolder = ownTextFolder(finder.kind);
  const own = ownFoldersOf(finder.kind).filter((folder) => folder === ownFolder || !isBelow(project.top, folder));
  const folders = ofProject ? project.textFolders[finder.kind] : [];
  if (own.length === 0 && folders.length === 0) return { items: [], problems: [], unseen: [] };
  const unseen = new Set<string>();
  const mine = await finder.read(own, {
    holds: (file) =>
      !isBelow(ownFolder, file.file) && (isMarked(file.real) || isMarked(file.file))
        ? [{ holds: "untrusted", source: file.file }]
        : [],
  });
  // The nearest to the root comes first.
  const theirs = await finder.read(folders, {
    within: project.top,
    holds: (file) => {
      const isSeen = wasSeen(file);
      if (!isSeen) unseen.add(file.file);
      return heldBy(file, !isSeen || isMarked(file.real) || isMarked(file.file));
    },
  });
  const names = new Map(mine.items.map((item) => [item.name, item]));
  const counting = theirs.items.filter(({ name }) => !names.has(name));
  const taken = theirs.items.filter(({ name }) => names.has(name));
  return {
    items: [
      ...mine.items.map((item) => {
        const isOwn = isBelow(ownFolder, item.file);
        return { ...item, isOwn, place: isOwn ? "yours" : finder.placeOf(item.file.replace(homedir(), "~")) };
      }),
      ...counting.map((item) => ({
        ...item,
        isOwn: false,
        place: finder.placeOf(withinProject(project, item.file)),
      })),
    ].sort((a, b) => (a.name < b.name ? -1 : 1)),
    problems: [
      ...mine.problems,
      ...theirs.problems,
      ...taken.map(({ name, file }) => ({
        code: "name_taken" as const,
        file,
        line: 1,
        message: `The ${finder.one} ${name} is left out: yours in ${names.get(name)?.file} comes first.`,
      })),
    ],
    unseen: counting.filter(({ file }) => unseen.has(file)).map(({ name }) => name),
  };
}

/** Whether a person has seen all of the text, as it is now. */
function wasSeen({ file, source }: TextFile): boolean {
  const bytes = Buffer.from(source);
  return bytes.length <= mostContextBytes && hasSeen(file, hashOf({ bytes, size: bytes.length }));
}

function heldBy({ file }: TextFile, isUntrusted: boolean): Content[] {
  return [...(isUntrusted ? [{ holds: "untrusted" as const, source: file }] : []), { holds: "private", source: file }];
}

/** What is wrong with a file, as a person finds the place. */
export function problemLine({ file, line, message }: TextProblem): string {
  return `${file}:${line}: ${message}`;
}
