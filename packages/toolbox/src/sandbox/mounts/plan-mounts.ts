import { lstat, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { isInside, type Root } from "../../files/confine/root.ts";
import { type GitPlaces, gitPlaces } from "../git/git-places.ts";
import { repositoryState, restoreRepository } from "../git/repository-state.ts";
import { type Absent, holdPlace, isPlaceholder } from "../running/placeholders.ts";
import {
  canMove,
  enter,
  type HeldMount,
  identityAt,
  ownFolder,
  runningCommands,
  sweep,
} from "../running/running-commands.ts";
import { listeningSockets } from "./listening-sockets.ts";
import { createMounts, type Mounts } from "./mounts.ts";
import { otherNames } from "./other-names.ts";
import { ownMounts, systemMounts } from "./system-mounts.ts";
import { toolchainPlaces } from "./toolchains.ts";

export interface MountOptions {
  /** Real paths of the folders of the PATH. */
  programFolders: readonly string[];
  /** More that may be read. */
  readable: readonly string[];
  /** Path of git. */
  git: string | undefined;
  /** Whether the sandbox keeps the network of the machine. */
  sharesNetwork: boolean;
}

/** The file system of one command. */
export interface MountPlan {
  /** Arguments of bubblewrap, the last mounts last. */
  args: string[];
  /** Whether programs may make unix sockets. */
  unixSockets: boolean;
  /** What git is to take no notice of: what is covered, and stand-ins. */
  ignored: string[];
  /** Path of the home folder, which is private and empty. */
  home: string;
  /**
   * Takes away what had to be put into the root meanwhile, and makes repositories again of what was one before. To be called
   * in a turn of its own.
   *
   * @returns the repositories that were none any more
   */
  release(): Promise<string[]>;
}

/** Something that has to be covered can be moved by a command that runs: it has to end first. */
export class ContendedError extends Error {
  override readonly name = "ContendedError";
}

/** Where what the sandbox itself brings along is found. */
export const sandboxOwn = "/run/cogency";

/** Why a root cannot be confined; undefined if it can. */
export function unconfinable({ path, base }: Pick<Root, "path" | "base">): string | undefined {
  const own = ["/proc", "/sys", "/dev"].find((folder) => isInside(folder, base));
  if (own !== undefined) return `the root "${base}" lies in ${own}, of which every sandbox has its own`;
  if (path === "/run" || base === "/run") return `the root is /run, of which every sandbox has its own`;
  return undefined;
}

/**
 * What a command sees: the system read-only, folders of its own for everything temporary, the root, and nothing else. In the
 * root, guarded paths are covered, and what makes git run programs is read-only.
 *
 * bubblewrap follows paths, and makes what it does not find. So nothing is mounted in the root where a command that runs
 * could put a link meanwhile: only where all those that see the place have it as a mount of their own, which they cannot
 * move, and where none sees it. To be called in a turn of its own, which lasts until everything is mounted.
 *
 * @throws ContendedError; the system's error if something that has to be covered cannot be
 */
export async function planMounts(root: Root, options: MountOptions): Promise<MountPlan> {
  const home = await homeFolders();
  const isWide = [...home, "/tmp", "/run", "/var"].some((folder) => isInside(root.path, folder));
  const others = await runningCommands();
  const isFirm: IsFirm = async (path) => {
    const identity = await identityAt(path);
    return !others.some((command) => canMove(command, path, identity));
  };
  const made: string[] = [];
  const held: Hold = async (absent) => {
    const isHeld = await holdPlace(absent);
    if (isHeld) made.push(absent.path);
    return isHeld;
  };
  let release = () => sweep(made, others);
  try {
    const mounts = createMounts();
    for (const path of [root.path, root.base]) mounts.add(path, "writable");
    for (const path of toolchainPlaces(options.programFolders, home)) mounts.add(path, "readOnly");
    for (const path of await existing(options.readable)) {
      if (!isInside("/usr", path) && !isInside(root.path, path)) mounts.add(path, "readOnly");
    }
    const shown = ["/usr", ...mounts.paths()];
    const places = await gitPlaces(isWide ? root.base : root.path, root.base, options.git);
    await addRepositories(mounts, root, places, held, isFirm);
    for (const path of await listeningSockets(root.path === "/" ? root.base : root.path)) {
      if (await isFirm(path)) mounts.add(path, "coveredFile");
    }
    await addGuarded(mounts, [...root.guarded, await ownFolder()], root, shown, held, isFirm);
    for (const path of await otherNames(root.guarded, root.path)) mounts.add(path, "coveredFile");
    mounts.pinBelow(
      root.path,
      ["/run", "/tmp", "/var/tmp", "/proc", "/dev"].filter((own) => !isInside(own, root.path)),
    );
    const folders = places.folders.filter(({ path, isReadOnly }) => !isReadOnly && mounts.isWritable(path));
    const states = (await Promise.all(folders.map(({ path }) => repositoryState(path)))).filter(
      (state) => state !== undefined,
    );
    release = await enter(...(await recordOf(mounts, made)));
    const isEverything = root.path === "/";
    const ownHome = isWide
      ? otherHome
      : (home.find((path) => !takenFolders.some((taken) => isInside(taken, path))) ?? otherHome);
    const args = [
      ...(isEverything ? ["--bind", "/", "/", ...ownMounts()] : systemMounts()),
      ...temporary,
      ...["--tmpfs", ownHome],
      ...mounts.args(),
      // What is left of the folder at the top is memory that a command has no use for.
      ...(isEverything ? [] : ["--remount-ro", "/"]),
      // As root a command could set how the whole system behaves, without any right of an administrator.
      ...["--remount-ro", "/proc"],
    ];
    return {
      args,
      ignored: places.hasOwnExcludes ? [] : ignoredIn(places.worktrees, [...mounts.covered(), ...made]),
      home: ownHome,
      unixSockets: !(isWide || options.sharesNetwork),
      async release() {
        const broken: string[] = [];
        for (const state of states) if (await restoreRepository(state)) broken.push(state.path);
        await release();
        return broken;
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Where the home folder is that a root does not hold. */
const otherHome = "/run/home";
/** Where no home folder can be laid over what is there. */
const takenFolders = ["/usr", "/etc", "/bin", "/sbin", "/lib", "/proc", "/dev", "/sys"];

type Hold = (absent: Absent) => Promise<boolean>;
/** Whether no command that runs can put something else where a path leads. */
type IsFirm = (path: string) => Promise<boolean>;

/** Patterns of git for paths, in each worktree that holds them. */
function ignoredIn(worktrees: readonly string[], paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    worktrees
      .filter((worktree) => isInside(worktree, path) && !path.includes("\n"))
      .map((worktree) => `/${relative(worktree, path).replace(/[\\*?[\]!# ]/g, "\\$&")}`),
  );
}

/** What those that start later have to know. */
async function recordOf(mounts: Mounts, made: readonly string[]): Promise<[Record<string, HeldMount>, string[]]> {
  const record: Record<string, HeldMount> = {};
  const placeholders = new Set(made);
  for (const path of mounts.paths()) {
    const identity = await identityAt(path);
    if (identity !== undefined) record[path] = { isWritable: mounts.isWritable(path), identity };
    // The last command that uses a stand-in takes it away, also one that an earlier process left behind.
    if (!mounts.isWritable(path) && (await isPlaceholder(path))) placeholders.add(path);
  }
  return [record, [...placeholders]];
}

const temporary = [
  ...["--tmpfs", "/run", "--dir", sandboxOwn],
  ...["--perms", "1777", "--tmpfs", "/tmp", "--perms", "1777", "--tmpfs", "/var/tmp"],
  // Of the kernel's keys not even the names.
  ...["--ro-bind-try", "/dev/null", "/proc/keys"],
];

async function homeFolders(): Promise<string[]> {
  const named = [homedir(), process.env.HOME].filter((path) => path?.startsWith("/")) as string[];
  const real = await Promise.all(named.map((path) => realpath(path).catch(() => path)));
  return [...new Set(real)].filter((path) => path !== "/");
}

async function existing(paths: readonly string[]): Promise<string[]> {
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)));
  return real.filter((path) => path !== undefined);
}

async function addRepositories(
  mounts: Mounts,
  root: Root,
  { folders, readOnly, absent: alsoAbsent }: GitPlaces,
  held: Hold,
  isFirm: IsFirm,
): Promise<void> {
  // What is not firm was made while a command ran, and that one can change it, too.
  const addFirm = async (path: string, sight: "writable" | "readOnly") => {
    if (!isInside(root.path, path) || (await isFirm(path))) mounts.add(path, sight);
  };
  const addAbsent = async (absent: Absent) => {
    if ((await isFirm(absent.path)) && (await held(absent))) mounts.add(absent.path, "readOnly");
  };
  for (const folder of folders) {
    await addFirm(folder.path, folder.isReadOnly ? "readOnly" : "writable");
    if (folder.isReadOnly) continue;
    for (const path of folder.pinned) await addFirm(path, "writable");
    for (const path of folder.readOnly) await addFirm(path, "readOnly");
    for (const absent of folder.absent) await addAbsent(absent);
  }
  for (const path of readOnly) if (path !== root.base) await addFirm(path, "readOnly");
  for (const absent of alsoAbsent) await addAbsent(absent);
}

/** @throws ContendedError */
async function addGuarded(
  mounts: Mounts,
  paths: readonly string[],
  root: Root,
  shown: readonly string[],
  held: Hold,
  isFirm: IsFirm,
): Promise<void> {
  const mustBeFirm = async (path: string) => {
    if (!isInside(root.path, path) || (await isFirm(path))) return;
    throw new ContendedError(`a command that runs sees "${path}", which has to be kept from this one`);
  };
  // Of a database four names may be guarded, and to each what SQLite puts beside one is added.
  for (const guarded of paths.filter((path) => !/(?:-wal|-shm|-journal){2}$/.test(path))) {
    const { path, missing } = await deepest(guarded);
    const [first] = missing;
    if (first === undefined) {
      // A root that lies in a guarded folder is itself all that is seen of it.
      if (!shown.some((folder) => path !== folder && isInside(folder, path))) continue;
      await mustBeFirm(path);
      mounts.add(path, (await lstat(path)).isDirectory() ? "coveredFolder" : "coveredFile");
    } else if (isInside(root.path, path)) {
      const absent = { path: join(path, first), kind: missing.length > 1 ? "folder" : "file" } as const;
      await mustBeFirm(absent.path);
      if (await held(absent)) mounts.add(absent.path, absent.kind === "folder" ? "coveredFolder" : "coveredFile");
    }
  }
}

/** The real path of the deepest folder of a path that exists, and the names that do not. */
async function deepest(path: string): Promise<{ path: string; missing: string[] }> {
  const missing: string[] = [];
  for (let there = path; ; there = dirname(there)) {
    const real = await realpath(there).catch(() => undefined);
    if (real !== undefined || there === dirname(there)) return { path: real ?? there, missing };
    missing.unshift(basename(there));
  }
}
