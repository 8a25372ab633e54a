import { execFile } from "node:child_process";
import type { Dirent } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { isInside } from "../../files/confine/root.ts";
import type { Absent } from "../running/placeholders.ts";
import { largestGitFile, smallText } from "./small-text.ts";

/** What of the repositories in a root a command may change, and what not. */
export interface GitPlaces {
  /** Folders of repositories: objects, refs, index and logs in them change with every commit. In the order of mounting. */
  readonly folders: readonly GitFolder[];
  /** Files and folders in the root that make git run programs. */
  readonly readOnly: readonly string[];
  /** The folders in which `.git` stands. */
  readonly worktrees: readonly string[];
  /** Whether a repository's settings say what else git takes no notice of. */
  readonly hasOwnExcludes: boolean;
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
    if (folders.length > mostRepositories) throw tooMany(base, path);
    if (path !== common) return;
    for (const [name, find] of [["worktrees", foldersIn] as const, ["modules", repositoriesBelow] as const]) {
      const found = await find(join(path, name));
      // Each would be mounts of its own.
      if (found.length > mostInOne) readOnly.push(join(path, name));
      else for (const each of found) await add(each, name === "worktrees" ? path : each);
    }
  };
  let hasOwnExcludes = false;
  const obey = async (folder: string, worktree: string) => {
    if (git === undefined) return;
    const settings = await settingsIn(git, join(folder, "config"));
    hasOwnExcludes ||= settings.some(({ key }) => key === "core.excludesfile");
    readOnly.push(...(await obeyed(git, folder, worktree)));
  };
  const { pointers, bare } = await repositoriesIn(base);
  for (const found of pointers) {
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
    await obey(common, dirname(found));
    if (folder !== common) await obey(folder, dirname(found));
  }
  for (const folder of bare) {
    await add(folder);
    await obey(folder, folder);
  }
  // The settings of a repository around the root may name something in it.
  for (let inner = base, above = dirname(base); above !== inner; inner = above, above = dirname(above)) {
    const pointer = join(above, ".git");
    const kind = await kindOf(pointer);
    const folder = kind === "file" ? await pointedAt(pointer) : await realpath(pointer).catch(() => undefined);
    if (folder !== undefined) await obey((await commonFolder(folder)) ?? folder, above);
  }
  const named = [...new Set(readOnly)].filter((path) => isInside(root, path) && path !== root);
  const kinds = await Promise.all(named.map(kindOf));
  return {
    folders,
    worktrees: pointers.map(dirname),
    hasOwnExcludes,
    readOnly: named.filter((_, at) => kinds[at] === "file" || kinds[at] === "folder"),
    absent: await Promise.all(named.filter((_, at) => kinds[at] === undefined).map(firstMissing)),
  };
}

/** Each is several mounts, of which bubblewrap takes some three thousand. */
const mostRepositories = 300;
/** Worktrees or submodules of one repository that are kept apart. */
const mostInOne = 100;

function tooMany(base: string, path: string): Error {
  const most = `more than ${mostRepositories} repositories and worktrees`;
  return new Error(
    `there are ${most} in "${base}", which cannot all be kept: remove those that nobody needs, such as "${path}"`,
  );
}

/** What has to be held so that nothing can be made at a path: the first name in it that is not there. */
async function firstMissing(path: string): Promise<Absent> {
  let [missing, kind]: [string, Absent["kind"]] = [path, "file"];
  for (
    let above = dirname(path);
    (await kindOf(above)) === undefined && above !== dirname(above);
    above = dirname(above)
  ) {
    [missing, kind] = [above, "folder"];
  }
  return { path: missing, kind };
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

/**
 * Every `.git` of a folder and of those below it, three levels deep, and the folders that are repositories themselves. All
 * of them: where a search ended early, more folders would hide a repository.
 */
async function repositoriesIn(base: string): Promise<{ pointers: string[]; bare: string[] }> {
  const found: { pointers: string[]; bare: string[] } = { pointers: [], bare: [] };
  let level = [base];
  for (let depth = 0; depth <= deepest && level.length > 0; depth++) {
    const next: string[] = [];
    for (let at = 0; at < level.length; at += readAtOnce) {
      const some = level.slice(at, at + readAtOnce);
      const listed = await Promise.all(some.map((folder) => readdir(folder, { withFileTypes: true }).catch(() => [])));
      for (const [index, entries] of listed.entries()) {
        const folder = some[index] ?? base;
        if (isBare(entries)) {
          found.bare.push(folder);
          continue;
        }
        for (const entry of entries) {
          if (entry.name === ".git") found.pointers.push(join(folder, entry.name));
          else if (entry.isDirectory() && entry.name !== "node_modules") next.push(join(folder, entry.name));
        }
      }
    }
    level = next;
  }
  return found;
}

const deepest = 3;
const readAtOnce = 256;

/** Whether git takes a folder with these entries for a repository. */
function isBare(entries: readonly Dirent[]): boolean {
  const has = (name: string, isIt: (entry: Dirent) => boolean) =>
    entries.some((entry) => entry.name === name && isIt(entry));
  const isFolder = (entry: Dirent) => entry.isDirectory() || entry.isSymbolicLink();
  return has("HEAD", (entry) => !entry.isDirectory()) && has("objects", isFolder) && has("refs", isFolder);
}

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

/**
 * What a repository's settings, those of its worktree and those of the user include, and the folder of hooks and the programs
 * that they name; it need not be there.
 */
async function obeyed(git: string, folder: string, worktree: string): Promise<string[]> {
  const home = `${process.env.HOME}\n${process.env.XDG_CONFIG_HOME}`;
  const own = owns.get(home) ?? listed(git, ["--includes"]);
  owns.set(home, own);
  const files = [join(folder, "config"), join(folder, "config.worktree")];
  const settings = [...(await own), ...(await Promise.all(files.map((file) => settingsIn(git, file)))).flat()];
  const paths = [...new Set(settings.flatMap((setting) => namedBy(setting, worktree)))];
  return Promise.all(paths.map((path) => realpath(path).catch(() => path)));
}

interface Setting {
  /** The file that it stands in. */
  file: string;
  key: string;
  value: string;
}

/** Those of the user and of the machine. */
const owns = new Map<string, Promise<readonly Setting[]>>();

async function settingsIn(git: string, config: string): Promise<readonly Setting[]> {
  const stats = await stat(config).catch(() => undefined);
  if (!stats?.isFile()) return [];
  if (stats.size > largestGitFile) throw new Error(`"${config}" is too large to be settings of git: remove it`);
  const version = `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
  const known = read.get(config);
  const settings = known?.version === version ? known.settings : await listed(git, ["--file", config, "--includes"]);
  read.set(config, { version, settings });
  return settings;
}

const read = new Map<string, { version: string; settings: readonly Setting[] }>();

async function listed(git: string, where: readonly string[]): Promise<readonly Setting[]> {
  const { HOME, XDG_CONFIG_HOME } = process.env;
  const args = ["config", ...where, "--null", "--show-origin", "--list"];
  const options = { cwd: "/", env: { HOME, XDG_CONFIG_HOME }, timeout: 5000, maxBuffer: 2 ** 22 };
  const { stdout } = await promisify(execFile)(git, args, options).catch(() => ({ stdout: "" }));
  const fields = stdout.split("\0");
  const settings: Setting[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, key = "", value = ""] = /^([^\n]*)\n?(.*)$/s.exec(fields[at + 1] ?? "") ?? [];
    settings.push({ file: resolve("/", (fields[at] ?? "").replace(/^file:/, "")), key, value });
  }
  return settings;
}

/** Named, and not only read: a file that is empty or not there can be filled. */
function namedBy({ file, key, value }: Setting, worktree: string): string[] {
  const path = value.replace(/^~(?=\/)/, homedir());
  if (/^include(?:if\..*)?\.path$/s.test(key)) return [resolve(dirname(file), path)];
  if (key === "core.hookspath") return hookFolders(resolve(worktree, path));
  if (!programSettings.test(key)) return [];
  // A shell reads it: whatever in it may be a path.
  const words = value.split(/[\s"'`;|&()<>=$!]+/).filter((word) => word.includes("/"));
  return words.map((word) => resolve(worktree, word.replace(/^~(?=\/)/, homedir())));
}

/** Settings whose values are programs. */
const programSettings = new RegExp(
  `^(?:${[
    "core\\.(?:fsmonitor|sshcommand|editor|pager|askpass|gitproxy|alternaterefscommand)",
    "(?:sequence|gui)\\.editor|pager\\..*|alias\\..*|interactive\\.difffilter|diff\\.external",
    "diff\\..*\\.(?:command|textconv)|merge\\..*\\.driver|filter\\..*\\.(?:clean|smudge|process)",
    "(?:diff|merge)tool\\..*\\.(?:cmd|path)|credential\\.(?:.*\\.)?helper|gpg\\.(?:.*\\.)?(?:program|defaultkeycommand)",
    "remote\\..*\\.(?:uploadpack|receivepack|vcs)|uploadpack\\.packobjectshook|submodule\\..*\\.update",
    "trailer\\..*\\.(?:command|cmd)|(?:browser|man)\\..*\\.(?:cmd|path)|sendemail\\..*|hook\\..*\\.command",
  ].join("|")})$`,
  "s",
);

/** What husky generates in a folder "_" calls the scripts beside that folder. */
function hookFolders(folder: string): string[] {
  return basename(folder) === "_" ? [dirname(folder)] : [folder];
}
