import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { configurationFolder } from "../../base/configuration-folder.ts";

/** Kinds of texts that a person, or a project, writes for the model: files with front matter in folders of their own. */
export type TextKind = keyof typeof kinds;

interface KindFolders {
  /** In each folder of a project. The folders of other agents hold the same format. */
  readonly inProject: readonly string[];
  /** Each file below such a folder that would be read. */
  filesIn(folder: string): string[];
}

const kinds = {
  agents: {
    inProject: [".cogency/agents", ".claude/agents", ".opencode/agents", ".opencode/agent"],
    filesIn: (folder) =>
      namesIn(folder)
        .filter((name) => name.endsWith(".md") && !name.startsWith("."))
        .map((name) => join(folder, name)),
  },
  skills: {
    inProject: [".cogency/skills", ".claude/skills", ".agents/skills"],
    filesIn: (folder) => namesIn(folder).map((name) => join(folder, name, "SKILL.md")),
  },
} satisfies Readonly<Record<string, KindFolders>>;

const names = Object.keys(kinds) as readonly TextKind[];

/** The folders with texts of each kind, the nearest to the root first. */
export type TextFolders = Readonly<Record<TextKind, readonly string[]>>;

export const noTextFolders: TextFolders = ofEachKind(() => []);

/** The person's own folder for a kind, which comes first. */
export function ownTextFolder(kind: TextKind): string {
  return join(configurationFolder(), kind);
}

/** The folders with texts that there are in folders of a project, in the same order. */
export function textFoldersIn(folders: readonly string[]): TextFolders {
  return ofEachKind((kind) => kindFoldersIn(kind, folders));
}

function ofEachKind(foldersOf: (kind: TextKind) => readonly string[]): TextFolders {
  return Object.fromEntries(names.map((kind) => [kind, foldersOf(kind)])) as unknown as TextFolders;
}

/** Those of one kind. */
export function kindFoldersIn(kind: TextKind, folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) => kinds[kind].inProject.map((name) => join(folder, ...name.split("/"))))
    .filter((folder) => existsSync(folder));
}

/** Each file that there is in these folders and would be read. */
export function textFilesIn(folders: TextFolders): string[] {
  return names.flatMap((kind) => folders[kind].flatMap(kinds[kind].filesIn)).filter((file) => existsSync(file));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
