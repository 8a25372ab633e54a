import { execFile } from "node:child_process";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { isInside } from "../../files/confine/root.ts";
import type { Places } from "../obeyed/walk-places.ts";
import type { Absent } from "../running/placeholders.ts";
import { largestGitFile, smallText } from "./small-text.ts";

/** What commands may and may not change in the repositories of a root. */
export interface GitPlaces {
  /** Folders of repositories, in the order of mounting. Every commit changes objects, refs, index and logs in them. */
  readonly folders: readonly GitFolder[];
  /** Existing files and folders in the root that make git run programs. */
  readonly readOnly: readonly string[];
  /** The folders that hold a `.git`. */
  readonly worktrees: readonly string[];
  /** Whether a repository's settings set `core.excludesFile`. */
  readonly hasOwnExcludes: boolean;
  /** Like `readOnly`, but they do not exist: a command must not create them. */
  readonly absent: readonly Absent[];
}

interface GitFolder {
  readonly path: string;
  /** The whole folder is read-only, because one of the entries to protect is a link, which a mount cannot pin. */
  readonly isReadOnly: boolean;
  readonly readOnly: readonly string[];
  /** Folders without which git would not recognise the repository. Their content may change. */
  readonly pinned: readonly string[];
  /** Files and folders that git would obey if a command created them. */
  readonly absent: readonly Absent[];
}

/**
 * Says what to protect in the repositories that a walk found, and in their submodules. A folder
 * outside the root counts only if it is the repository folder of a worktree and names the root itself. A file in the root that
 * points to a folder must not open that folder.
 *
 * @param git path of git, which reads its own settings
 */
export async function gitPlaces(
  root: string,
  base: string,
  git: string | undefined,
  { pointers, bare }: Pick<Places, "pointers" | "bare">,
): Promise<GitPlaces> {
  const folders: GitFolder[] = [];
  const readOnly: string[] = [];
  const add = async (path: string, common = path) => {
    if (folders.some((folder) => folder.path === path)) return;
    folders.push(await (path === common ? repositoryFolder(path) : worktreeFolder(path, common)));
    if (folders.length > mostRepositories) throw tooMany(base, path);
    if (path !== common) return;
    for (const [name, find] of [["worktrees", foldersIn] as const, ["modules", repositoriesBelow] as const]) {
      const found = await find(join(path, name));
      // Each would need mounts of its own.
      if (found.length > mostPerRepository) readOnly.push(join(path, name));
      else for (const each of found) await add(each, name === "worktrees" ? path : each);
    }
  };
  let hasOwnExcludes = false;
  const addNamedBySettings = async (folder: string, worktree: string) => {
    if (git === undefined) return;
    const settings = await settingsIn(git, join(folder, "config"));
    hasOwnExcludes ||= settings.some(({ key }) => key === "core.excludesfile");
    readOnly.push(...(await pathsNamedBySettings(git, folder, worktree)));
  };
  for (const found of pointers) {
    const kind = await kindAt(found);
    const folder = kind === "file" ? await pointedAt(found) : await realpath(found).catch(() => undefined);
    if (kind === "file") readOnly.push(found);
    if (folder === undefined || (await kindAt(folder)) !== "folder") continue;
    const common = (await commonFolder(folder)) ?? folder;
    if (isInside(root, folder)) {
      if (isInside(root, common)) await add(common);
    } else {
      const isWorktree = kind === "file" && common === dirname(dirname(folder)) && (await namesWorktree(folder, found));
      if (!isWorktree) continue;
      await add(common);
    }
    // A folder in the root that names a common folder outside is treated as a repository of its own.
    await add(folder, folders.some(({ path }) => path === common) ? common : folder);
    await addNamedBySettings(common, dirname(found));
    if (folder !== common) await addNamedBySettings(folder, dirname(found));
  }
  for (const folder of bare) {
    await add(folder);
    await addNamedBySettings(folder, folder);
  }
  // The settings of a repository around the root may name something in it.
  for (let inner = base, above = dirname(base); above !== inner; inner = above, above = dirname(above)) {
    const pointer = join(above, ".git");
    const kind = await kindAt(pointer);
    const folder = kind === "file" ? await pointedAt(pointer) : await realpath(pointer).catch(() => undefined);
    if (folder !== undefined) await addNamedBySettings((await commonFolder(folder)) ?? folder, above);
  }
  const named = [...new Set(readOnly)].filter((path) => isInside(root, path) && path !== root);
  const kinds = await Promise.all(named.map(kindAt));
  return {
    folders,
    worktrees: pointers.map(dirname),
    hasOwnExcludes,
    readOnly: named.filter((_, at) => kinds[at] === "file" || kinds[at] === "folder"),
    absent: await Promise.all(named.filter((_, at) => kinds[at] === undefined).map(firstMissing)),
  };
}

/** Each needs several mounts, and bubblewrap supports about three thousand. */
const mostRepositories = 300;
/** With more worktrees or submodules in a repository, the folder of all of them is read-only. */
const mostPerRepository = 100;

function tooMany(base: string, path: string): Error {
  const most = `more than ${mostRepositories} repositories and worktrees`;
  return new Error(
    `there are ${most} in "${base}", too many to protect: remove those that are not needed, such as "${path}"`,
  );
}

/** The placeholder that keeps a command from creating the path: the first missing name on it. */
async function firstMissing(path: string): Promise<Absent> {
  let [missing, kind]: [string, Absent["kind"]] = [path, "file"];
  for (
    let above = dirname(path);
    (await kindAt(above)) === undefined && above !== dirname(above);
    above = dirname(above)
  ) {
    [missing, kind] = [above, "folder"];
  }
  return { path: missing, kind };
}

/** Protects what holds git's settings and hooks, or names a folder that does. */
async function repositoryFolder(path: string): Promise<GitFolder> {
  const absent: Absent[] = [
    { path: join(path, "config"), kind: "file" },
    { path: join(path, "hooks"), kind: "folder" },
    // It names the folder of settings and hooks; "." means the folder that it is in.
    { path: join(path, "commondir"), kind: "file", content: ".\n" },
    { path: join(path, "config.worktree"), kind: "file" },
  ];
  const hasOwn = await hasWorktreeConfig(path);
  return heldFolder(path, ["config", "hooks", "commondir", "config.worktree"], absent.slice(0, hasOwn ? 4 : 3));
}

/** The folder of a worktree holds its index and HEAD; everything else is in the folder of the repository. */
async function worktreeFolder(path: string, common: string): Promise<GitFolder> {
  const absent: Absent[] = [{ path: join(path, "config.worktree"), kind: "file" }];
  const hasOwn = await hasWorktreeConfig(common);
  return heldFolder(path, ["commondir", "gitdir", "config.worktree"], hasOwn ? absent : []);
}

async function heldFolder(path: string, names: readonly string[], absent: readonly Absent[]): Promise<GitFolder> {
  const kinds = await Promise.all(names.map((name) => kindAt(join(path, name))));
  const there = names.map((name) => join(path, name)).filter((_, at) => kinds[at] !== undefined);
  // A mount at a link does not keep a command from replacing the link.
  const isReadOnly = kinds.includes("link");
  const needed = [join(path, "objects"), join(path, "refs")];
  const neededKinds = await Promise.all(needed.map(kindAt));
  const pinned = needed.filter((_, at) => neededKinds[at] === "folder");
  return { path, isReadOnly, pinned, readOnly: there, absent: absent.filter((each) => !there.includes(each.path)) };
}

async function hasWorktreeConfig(folder: string): Promise<boolean> {
  const config = join(folder, "config");
  const text = await smallText(config);
  // Settings that are too large to read may contain it.
  return text === undefined ? (await kindAt(config)) !== undefined : /worktreeconfig/i.test(text);
}

export type Kind = "file" | "folder" | "link" | "other" | undefined;

export async function kindAt(path: string): Promise<Kind> {
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return "link";
    if (stats.isDirectory()) return "folder";
    return stats.isFile() ? "file" : "other";
  } catch {
    return undefined;
  }
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
}

/** The folders of submodules. A submodule's path can have several names, so its folder can be several levels deep. */
async function repositoriesBelow(folder: string, depth = 5): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    if ((await kindAt(join(path, "HEAD"))) === "file") found.push(path);
    else if (depth > 0) found.push(...(await repositoriesBelow(path, depth - 1)));
  }
  return found;
}

/** The folder that a `.git` file names. */
export async function pointedAt(file: string): Promise<string | undefined> {
  try {
    const target = /^gitdir: (.*?)\r?\n?$/s.exec((await smallText(file)) ?? "")?.[1];
    return target === undefined ? undefined : await realpath(resolve(dirname(file), target));
  } catch {
    return undefined;
  }
}

/** The folder that several worktrees share. */
export async function commonFolder(folder: string): Promise<string | undefined> {
  try {
    const target = (await smallText(join(folder, "commondir")))?.trim();
    return target === undefined ? undefined : await realpath(resolve(folder, target));
  } catch {
    return undefined;
  }
}

/** Whether the folder of a worktree names this `.git`. */
async function namesWorktree(folder: string, pointer: string): Promise<boolean> {
  try {
    const named = (await smallText(join(folder, "gitdir")))?.trim();
    return named !== undefined && (await realpath(resolve(folder, named))) === (await realpath(pointer));
  } catch {
    return false;
  }
}

/**
 * Returns the paths that make git run programs, by the settings of the repository, its worktree and the user: included
 * settings, the folder of hooks, and programs. They need not exist.
 */
async function pathsNamedBySettings(git: string, folder: string, worktree: string): Promise<string[]> {
  const home = `${process.env.HOME}\n${process.env.XDG_CONFIG_HOME}`;
  const shared = sharedSettings.get(home) ?? listSettings(git, ["--includes"]);
  sharedSettings.set(home, shared);
  const files = [join(folder, "config"), join(folder, "config.worktree")];
  const settings = [...(await shared), ...(await Promise.all(files.map((file) => settingsIn(git, file)))).flat()];
  const paths = [...new Set(settings.flatMap((setting) => pathsNamedBy(setting, worktree)))];
  return Promise.all(paths.map((path) => realpath(path).catch(() => path)));
}

interface Setting {
  /** The file that sets it. */
  file: string;
  key: string;
  value: string;
}

/** The settings of the user and the machine, by the home folder. */
const sharedSettings = new Map<string, Promise<readonly Setting[]>>();

async function settingsIn(git: string, config: string): Promise<readonly Setting[]> {
  const stats = await stat(config).catch(() => undefined);
  if (!stats?.isFile()) return [];
  if (stats.size > largestGitFile) throw new Error(`"${config}" is too large to be settings of git: remove it`);
  const version = `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
  const known = settingsOfFiles.get(config);
  const settings =
    known?.version === version ? known.settings : await listSettings(git, ["--file", config, "--includes"]);
  settingsOfFiles.set(config, { version, settings });
  return settings;
}

const settingsOfFiles = new Map<string, { version: string; settings: readonly Setting[] }>();

async function listSettings(git: string, where: readonly string[]): Promise<readonly Setting[]> {
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

/** The paths that a setting names. A file that is empty or missing counts too, because a command could fill it. */
function pathsNamedBy({ file, key, value }: Setting, worktree: string): string[] {
  const path = value.replace(/^~(?=\/)/, homedir());
  if (/^include(?:if\..*)?\.path$/s.test(key)) return [resolve(dirname(file), path)];
  if (key === "core.hookspath") return hookFolders(resolve(worktree, path));
  if (!programSettings.test(key)) return [];
  // A shell reads the value, so any word with a slash may be a path.
  const words = value.split(/[\s"'`;|&()<>=$!]+/).filter((word) => word.includes("/"));
  return words.map((word) => resolve(worktree, word.replace(/^~(?=\/)/, homedir())));
}

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

/** Husky's generated hooks in a folder `_` call the scripts beside that folder. */
function hookFolders(folder: string): string[] {
  return basename(folder) === "_" ? [dirname(folder)] : [folder];
}
