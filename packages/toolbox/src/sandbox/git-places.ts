import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { isInside } from "../files/root.ts";
import type { Absent } from "./placeholders.ts";
import { LARGEST_GIT_FILE, smallText } from "./small-text.ts";

/** What of the repositories in a root a command may change, and what not. */
export interface GitPlaces {
  /** Folders of repositories: objects, refs, index and logs in them change with every commit. In the order of mounting. */
  readonly folders: readonly GitFolder[];
  /** Files and folders in the root that make git run programs. */
  readonly readOnly: readonly string[];
  /** Such files that are not there, so that a command could make them. */
  readonly absent: readonly Absent[];
}

interface GitFolder {
  readonly path: string;
  /** Nothing in it may change, where what makes something run later cannot be kept apart from the rest. */
  readonly isReadOnly: boolean;
  readonly readOnly: readonly string[];
  /** Folders without which it would be none, in which everything may change. */
  readonly pinned: readonly string[];
  /** What git would obey if a command made it. */
  readonly absent: readonly Absent[];
}

/**
 * Finds the repositories of a root: those in the folder where commands run, a few levels below it, and their submodules. A
 * folder outside of the root counts only if it is the one of a worktree and names the root itself: a file in the root that
 * points somewhere is no reason to open that place.
 *
 * @param git path of git, which reads its own settings
 */
export async function gitPlaces(root: string, base: string, git: string | undefined): Promise<GitPlaces> {
  const folders: GitFolder[] = [];
  const readOnly: string[] = [];
  const add = async (path: string, common = path) => {
    if (folders.some((folder) => folder.path === path)) return;
    folders.push(await (path === common ? repositoryFolder(path) : worktreeFolder(path, common)));
    if (path !== common) return;
    for (const worktree of await foldersIn(join(path, "worktrees"))) await add(worktree, path);
    for (const module of await repositoriesBelow(join(path, "modules"))) await add(module);
  };
  for (const found of await pointersIn(base)) {
    const kind = await kindOf(found);
    const folder = kind === "file" ? await pointedAt(found) : await realpath(found).catch(() => undefined);
    if (kind === "file") readOnly.push(found);
    if (folder === undefined || (await kindOf(folder)) !== "folder") continue;
    const common = (await commonFolder(folder)) ?? folder;
    if (isInside(root, folder)) {
      if (isInside(root, common)) await add(common);
    } else {
      const isWorktree = kind === "file" && common === dirname(dirname(folder)) && (await namesBack(folder, found));
      if (!isWorktree) continue;
      await add(common);
    }
    // A folder in the root whose settings would come from outside of it gets no further than itself.
    await add(folder, folders.some(({ path }) => path === common) ? common : folder);
    if (git !== undefined) readOnly.push(...(await obeyed(git, join(common, "config"), dirname(found))));
  }
  const named = [...new Set(readOnly)].filter((path) => isInside(root, path) && path !== root);
  const kinds = await Promise.all(named.map(kindOf));
  const absent = named.filter((path, at) => kinds[at] === undefined && existsSync(dirname(path)));
  return {
    folders,
    readOnly: named.filter((_, at) => kinds[at] === "file" || kinds[at] === "folder"),
    absent: absent.map((path) => ({ path, kind: "file" as const })),
  };
}

/** Where git finds settings, programs to run, and other folders that hold these. */
async function repositoryFolder(path: string): Promise<GitFolder> {
  const absent: Absent[] = [
    { path: join(path, "config"), kind: "file" },
    { path: join(path, "hooks"), kind: "folder" },
    // It names a folder to take settings and hooks from; "." is the one that it stands in.
    { path: join(path, "commondir"), kind: "file", content: ".\n" },
    { path: join(path, "config.worktree"), kind: "file" },
  ];
  const hasOwn = await hasWorktreeConfig(path);
  return heldFolder(path, ["config", "hooks", "commondir", "config.worktree"], absent.slice(0, hasOwn ? 4 : 3));
}

/** The folder of a worktree has its index and its HEAD; everything else stands in that of the repository. */
async function worktreeFolder(path: string, common: string): Promise<GitFolder> {
  const absent: Absent[] = [{ path: join(path, "config.worktree"), kind: "file" }];
  const hasOwn = await hasWorktreeConfig(common);
  return heldFolder(path, ["commondir", "gitdir", "config.worktree"], hasOwn ? absent : []);
}

async function heldFolder(path: string, names: readonly string[], absent: readonly Absent[]): Promise<GitFolder> {
  const kinds = await Promise.all(names.map((name) => kindOf(join(path, name))));
  const there = names.map((name) => join(path, name)).filter((_, at) => kinds[at] !== undefined);
  // A mount does not hold a link in its place.
  const isReadOnly = kinds.includes("link");
  const needed = [join(path, "objects"), join(path, "refs")];
  const neededKinds = await Promise.all(needed.map(kindOf));
  const pinned = needed.filter((_, at) => neededKinds[at] === "folder");
  return { path, isReadOnly, pinned, readOnly: there, absent: absent.filter((each) => !there.includes(each.path)) };
}

async function hasWorktreeConfig(folder: string): Promise<boolean> {
  const config = join(folder, "config");
  const text = await smallText(config);
  // Of settings that are too large nobody knows.
  return text === undefined ? (await kindOf(config)) !== undefined : /worktreeconfig/i.test(text);
}

type Kind = "file" | "folder" | "link" | "other" | undefined;

async function kindOf(path: string): Promise<Kind> {
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return "link";
    if (stats.isDirectory()) return "folder";
    return stats.isFile() ? "file" : "other";
  } catch {
    return undefined;
  }
}

/** Every `.git` of a folder and of those below it, three levels deep and at most a few hundred folders. */
async function pointersIn(base: string): Promise<string[]> {
  const found: string[] = [];
  let level = [base];
  let seen = 0;
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
    const listed = await Promise.all(level.map((folder) => readdir(folder, { withFileTypes: true }).catch(() => [])));
    const next: string[] = [];
    for (const [at, entries] of listed.entries()) {
      const folder = level[at] ?? base;
      for (const entry of entries) {
        if (entry.name === ".git") found.push(join(folder, entry.name));
        else if (entry.isDirectory() && entry.name !== "node_modules") next.push(join(folder, entry.name));
      }
    }
    level = next.slice(0, Math.max(0, MOST_FOLDERS - seen));
    seen += level.length;
  }
  return found;
}

const DEEPEST = 3;
const MOST_FOLDERS = 400;

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
}

/** The folders of submodules, which lie in one another by the names of their paths. */
async function repositoriesBelow(folder: string, depth = 5): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    if ((await kindOf(join(path, "HEAD"))) === "file") found.push(path);
    else if (depth > 0) found.push(...(await repositoriesBelow(path, depth - 1)));
  }
  return found;
}

/** Where a `.git` that is a file leads. */
async function pointedAt(file: string): Promise<string | undefined> {
  try {
    const target = /^gitdir: (.*?)\r?\n?$/s.exec((await smallText(file)) ?? "")?.[1];
    return target === undefined ? undefined : await realpath(resolve(dirname(file), target));
  } catch {
    return undefined;
  }
}

/** The folder that several worktrees share. */
async function commonFolder(folder: string): Promise<string | undefined> {
  try {
    const target = (await smallText(join(folder, "commondir")))?.trim();
    return target === undefined ? undefined : await realpath(resolve(folder, target));
  } catch {
    return undefined;
  }
}

/** Whether a worktree's folder says that its worktree is where this `.git` stands. */
async function namesBack(folder: string, pointer: string): Promise<boolean> {
  try {
    const named = (await smallText(join(folder, "gitdir")))?.trim();
    return named !== undefined && (await realpath(resolve(folder, named))) === (await realpath(pointer));
  } catch {
    return false;
  }
}

/** Files that a repository's settings include, and the folder of hooks that they name; they need not be there. */
async function obeyed(git: string, config: string, worktree: string): Promise<string[]> {
  const stats = await stat(config).catch(() => undefined);
  if (!stats?.isFile()) return [];
  if (stats.size > LARGEST_GIT_FILE) throw new Error(`"${config}" is too large to be settings of git: remove it`);
  const version = `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
  const known = settings.get(config);
  const paths = known?.version === version ? known.paths : await readSettings(git, config, worktree);
  settings.set(config, { version, paths });
  return Promise.all(paths.map((path) => realpath(path).catch(() => path)));
}

const settings = new Map<string, { version: string; paths: readonly string[] }>();

async function readSettings(git: string, config: string, worktree: string): Promise<string[]> {
  const args = ["config", "--file", config, "--includes", "--null", "--show-origin", "--list"];
  const options = { cwd: "/", env: { GIT_CONFIG_NOSYSTEM: "1" }, timeout: 5000, maxBuffer: 2 ** 22 };
  const listed = await promisify(execFile)(git, args, options).catch(() => ({ stdout: "" }));
  const fields = listed.stdout.split("\0");
  const paths: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [origin = "", setting = ""] = [fields[at], fields[at + 1]];
    const file = resolve("/", origin.replace(/^file:/, ""));
    // Named, and not only read: one that is empty or not there can be filled.
    const included = /^include(?:if\..*)?\.path\n(.*)$/s.exec(setting)?.[1];
    if (included) paths.push(resolve(dirname(file), included));
    const hooks = /^core\.hookspath\n(.*)$/s.exec(setting)?.[1];
    if (hooks) paths.push(...hookFolders(resolve(worktree, hooks)));
  }
  return [...new Set(paths)];
}

/** What husky generates in a folder "_" calls the scripts beside that folder. */
function hookFolders(folder: string): string[] {
  return basename(folder) === "_" ? [dirname(folder)] : [folder];
}
