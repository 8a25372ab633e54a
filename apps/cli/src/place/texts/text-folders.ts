import { type Dirent, existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { configurationFolder } from "../../base/configuration-folder.ts";

/** Kinds of texts that a person, or a project, writes for the model: files with front matter in folders of their own. */
export type TextKind = keyof typeof kinds;

interface KindFolders {
  /** In each folder of a project. The folders of other agents hold the same format. */
  readonly inProject: readonly string[];
  /** Of the person, below the home folder, for other agents. */
  readonly ofOthers: readonly string[];
  /** Each file below such a folder that would be read. */
  filesIn(folder: string): string[];
}

const kinds = {
  agents: {
    inProject: [".cogency/agents", ".claude/agents", ".opencode/agents", ".opencode/agent"],
    ofOthers: [".claude/agents", ".config/opencode/agents", ".config/opencode/agent"],
    filesIn: (folder) => markdownFilesIn(folder, 1),
  },
  commands: {
    inProject: [".cogency/commands", ".claude/commands", ".opencode/commands", ".opencode/command", ".pi/prompts"],
    ofOthers: [
      ...[".claude/commands", ".codex/prompts", ".config/opencode/commands", ".config/opencode/command"],
      ".pi/agent/prompts",
    ],
    filesIn: (folder) => markdownFilesIn(folder, 4),
  },
  skills: {
    inProject: [".cogency/skills", ".claude/skills", ".agents/skills"],
    ofOthers: [],
    filesIn: (folder) => entriesIn(folder).map(({ name }) => join(folder, name, "SKILL.md")),
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

/** The person's folders for other agents that there are. */
function foldersOfOthers(kind: TextKind): string[] {
  return kinds[kind].ofOthers.map((name) => join(homedir(), ...name.split("/"))).filter((folder) => existsSync(folder));
}

/** All folders of the person for a kind that there are; the app's own comes first. */
export function ownFoldersOf(kind: TextKind): string[] {
  return [ownTextFolder(kind), ...foldersOfOthers(kind)].filter((folder) => existsSync(folder));
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

/** Links to folders are not followed: what lies there was not shown to the person. */
function markdownFilesIn(folder: string, depth: number): string[] {
  return entriesIn(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".")) return [];
    if (entry.isDirectory()) return depth > 1 ? markdownFilesIn(path, depth - 1) : [];
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
