import { lstat, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { isInside, type Root } from "../../files/confine/root.ts";
import { type GitPlaces, gitPlaces } from "../git/git-places.ts";
import { repositoryState, restoreRepository } from "../git/repository-state.ts";
import { keptPlaces, type SetAside, setAsideMade } from "../obeyed/kept-places.ts";
import { type Places, walkPlaces } from "../obeyed/walk-places.ts";
import { type Absent, holdPlace, isPlaceholder } from "../running/placeholders.ts";
import {
  canMove,
  type HeldMount,
  identityAt,
  recordCommand,
  recordsFolder,
  runningCommands,
  sweepPlaceholders,
} from "../running/running-commands.ts";
import { listeningSockets } from "./listening-sockets.ts";
import { createMounts, type Mounts } from "./mounts.ts";
import { otherNames } from "./other-names.ts";
import { ownMounts, systemMounts } from "./system-mounts.ts";
import { toolchainPlaces } from "./toolchains.ts";

export interface MountOptions {
  /** Real paths of the folders of the PATH. */
  programFolders: readonly string[];
  /** Files and folders that commands may read, in addition. */
  readable: readonly string[];
  /** Path of git. */
  git: string | undefined;
  /** Whether the sandbox keeps the network of the machine. */
  sharesNetwork: boolean;
  /** Whether the command may run for hours. */
  isLasting: boolean;
}

/** The file system of one command. */
export interface MountPlan {
  /** Arguments of bubblewrap, in the order of mounting. */
  args: string[];
  /** Whether programs may create unix sockets. */
  unixSockets: boolean;
  /** Patterns of paths that git must ignore: covered files and placeholders. */
  ignored: string[];
  /** Path of the home folder, which is private and empty. */
  home: string;
  /** Sets aside what the command made and programs outside would obey. Call it when the command has ended, and before only with `doubtful`. */
  setAsideMade(doubtful?: Set<string>): Promise<SetAside[]>;
  /**
   * Removes the placeholders and restores broken repositories. Call it during a turn.
   *
   * @returns the repositories that were broken
   */
  release(): Promise<string[]>;
}

/** A running command could move something that must be covered, so that command must end first. */
export class ContendedError extends Error {
  override readonly name = "ContendedError";
  /** Whether that command may run for hours. */
  readonly isLasting: boolean;

  constructor(message: string, isLasting: boolean) {
    super(message);
    this.isLasting = isLasting;
  }
}

/** The folder of the sandbox's own files. */
export const sandboxFiles = "/run/cogency";

/** Why a root cannot be confined; undefined if it can. */
export function unconfinable({ path, base }: Pick<Root, "path" | "base">): string | undefined {
  const own = ["/proc", "/sys", "/dev"].find((folder) => isInside(folder, base));
  if (own !== undefined) return `the root "${base}" lies in ${own}, of which every sandbox has its own`;
  if (path === "/run" || base === "/run") return `the root is /run, of which every sandbox has its own`;
  return undefined;
}

/**
 * Plans what a command sees: the system read-only, its own temporary folders, the root, and nothing else. In the root, guarded
 * paths are covered, and what makes git run programs is read-only.
 *
 * bubblewrap follows paths, and creates missing ones. So nothing is mounted in the root at a path that a running command could
 * replace by a link. A path is safe if each command that sees it has a mount there, which it cannot move, or if no command
 * sees it. Call this during a turn that lasts until everything is mounted.
 *
 * @throws ContendedError; the system's error if something that must be covered cannot be
 */
export async function planMounts(root: Root, options: MountOptions): Promise<MountPlan> {
  const home = await homeFolders();
  const holdsPrivateFolders = [...home, "/tmp", "/run", "/var"].some((folder) => isInside(root.path, folder));
  const others = await runningCommands();
  const isPinned: IsPinned = async (path) => {
    const identity = await identityAt(path);
    return !others.some((command) => canMove(command, path, identity));
  };
  const made: string[] = [];
  const createPlaceholder: CreatePlaceholder = async (absent) => {
    const isCreated = await holdPlace(absent);
    if (isCreated) made.push(absent.path);
    return isCreated;
  };
  let release = () => sweepPlaceholders(made, others);
  try {
    const mounts = createMounts();
    for (const path of [root.path, root.base]) mounts.add(path, "writable");
    for (const path of toolchainPlaces(options.programFolders, home)) mounts.add(path, "readOnly");
    for (const path of await existing(options.readable)) {
      if (!isInside("/usr", path) && !isInside(root.path, path)) mounts.add(path, "readOnly");
    }
    const shown = ["/usr", ...mounts.paths()];
    const top = holdsPrivateFolders ? root.base : root.path;
    const names = [...root.obeyed.config, ...root.obeyed.instructions];
    const grounds = { base: root.base, top: root.path, names };
    const found = await walkPlaces(grounds);
    const places = await gitPlaces(top, root.base, options.git, found);
    await addRepositories(mounts, root, places, createPlaceholder, isPinned);
    await addNamed(mounts, root, found, isPinned);
    const kept = await keptPlaces(grounds, found, { isPinned, mounted: new Set(mounts.paths()) });
    for (const path of await listeningSockets(root.path === "/" ? root.base : root.path)) {
      if (await isPinned(path)) mounts.add(path, "coveredFile");
    }
    const lasting = others.filter((command) => command.isLasting);
    const isLastinglyPinned: IsPinned = async (path) => {
      const identity = await identityAt(path);
      return !lasting.some((command) => canMove(command, path, identity));
    };
    const pins = { isPinned, isLastinglyPinned };
    await addGuarded(mounts, [...root.guarded, await recordsFolder()], root, shown, createPlaceholder, pins);
    for (const path of await otherNames(root.guarded, root.path)) mounts.add(path, "coveredFile");
    mounts.pinBelow(
      root.path,
      ["/run", "/tmp", "/var/tmp", "/proc", "/dev"].filter((own) => !isInside(own, root.path)),
    );
    const folders = places.folders.filter(({ path, isReadOnly }) => !isReadOnly && mounts.isWritable(path));
    const states = (await Promise.all(folders.map(({ path }) => repositoryState(path)))).filter(
      (state) => state !== undefined,
    );
    release = await recordCommand(...(await recordOf(mounts, made)), kept, options.isLasting);
    const isEverything = root.path === "/";
    const privateHome = holdsPrivateFolders
      ? fallbackHome
      : (home.find((path) => !foldersWithoutHome.some((taken) => isInside(taken, path))) ?? fallbackHome);
    const args = [
      ...(isEverything ? ["--bind", "/", "/", ...ownMounts()] : systemMounts()),
      ...temporary,
      ...["--tmpfs", privateHome],
      ...mounts.args(),
      // Otherwise `/` would be a writable folder in memory.
      ...(isEverything ? [] : ["--remount-ro", "/"]),
      // A command that runs as root could otherwise change kernel settings in /proc/sys, even without capabilities.
      ...["--remount-ro", "/proc"],
    ];
    return {
      args,
      ignored: places.hasOwnExcludes ? [] : ignoredIn(places.worktrees, [...mounts.covered(), ...made]),
      home: privateHome,
      unixSockets: !(holdsPrivateFolders || options.sharesNetwork),
      setAsideMade: (doubtful) => setAsideMade(kept, doubtful),
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

/** The private home folder, if it cannot be at the path of the user's home folder. */
const fallbackHome = "/run/home";
/** Folders in which no private home folder can be mounted. */
const foldersWithoutHome = ["/usr", "/etc", "/bin", "/sbin", "/lib", "/proc", "/dev", "/sys"];

type CreatePlaceholder = (absent: Absent) => Promise<boolean>;
/** Whether no running command can replace what is at a path. */
type IsPinned = (path: string) => Promise<boolean>;

/** Git's patterns for these paths, relative to each worktree that holds them. */
function ignoredIn(worktrees: readonly string[], paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    worktrees
      .filter((worktree) => isInside(worktree, path) && !path.includes("\n"))
      .map((worktree) => `/${relative(worktree, path).replace(/[\\*?[\]!# ]/g, "\\$&")}`),
  );
}

/** The record that later commands read. */
async function recordOf(mounts: Mounts, made: readonly string[]): Promise<[Record<string, HeldMount>, string[]]> {
  const record: Record<string, HeldMount> = {};
  const placeholders = new Set(made);
  for (const path of mounts.paths()) {
    const identity = await identityAt(path);
    if (identity !== undefined) record[path] = { isWritable: mounts.isWritable(path), identity };
    // The last command that uses a placeholder removes it, also one that a killed process left.
    if (!mounts.isWritable(path) && (await isPlaceholder(path))) placeholders.add(path);
  }
  return [record, [...placeholders]];
}

const temporary = [
  ...["--tmpfs", "/run", "--dir", sandboxFiles],
  ...["--perms", "1777", "--tmpfs", "/tmp", "--perms", "1777", "--tmpfs", "/var/tmp"],
  // It lists the names of kernel keys.
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
  createPlaceholder: CreatePlaceholder,
  isPinned: IsPinned,
): Promise<void> {
  // A path that is not pinned was created while a command ran, and that command can change it anyway.
  const addIfPinned = async (path: string, visibility: "writable" | "readOnly") => {
    if (!isInside(root.path, path) || (await isPinned(path))) mounts.add(path, visibility);
  };
  const addAbsent = async (absent: Absent) => {
    if ((await isPinned(absent.path)) && (await createPlaceholder(absent))) mounts.add(absent.path, "readOnly");
  };
  for (const folder of folders) {
    await addIfPinned(folder.path, folder.isReadOnly ? "readOnly" : "writable");
    if (folder.isReadOnly) continue;
    for (const path of folder.pinned) await addIfPinned(path, "writable");
    for (const path of folder.readOnly) await addIfPinned(path, "readOnly");
    for (const absent of folder.absent) await addAbsent(absent);
  }
  for (const path of readOnly) if (path !== root.base) await addIfPinned(path, "readOnly");
  for (const absent of alsoAbsent) await addAbsent(absent);
}

/**
 * Configuration and instructions are read-only. Of a link its target is, and `keptPlaces` remembers where it leads. What has no
 * mount is compared when the command has ended.
 */
async function addNamed(mounts: Mounts, root: Root, { named }: Places, isPinned: IsPinned): Promise<void> {
  for (const path of named.slice(0, mostNamed)) {
    const real = await realpath(path).catch(() => undefined);
    if (real !== undefined && real !== root.base && isInside(root.path, real) && (await isPinned(real)))
      mounts.add(real, "readOnly");
  }
}

/** Each needs a mount, and so does each folder above it. */
const mostNamed = 500;

/** @throws ContendedError */
async function addGuarded(
  mounts: Mounts,
  paths: readonly string[],
  root: Root,
  shown: readonly string[],
  createPlaceholder: CreatePlaceholder,
  pins: { isPinned: IsPinned; isLastinglyPinned: IsPinned },
): Promise<void> {
  const requirePinned = async (path: string) => {
    if (!isInside(root.path, path) || (await pins.isPinned(path))) return;
    const isLasting = !(await pins.isLastinglyPinned(path));
    const who = isLasting ? "a command that runs in the background" : "a running command";
    const advice = isLasting ? ": it has to end first" : "";
    throw new ContendedError(`${who} sees "${path}", which must be hidden from this one${advice}`, isLasting);
  };
  // The side files of a database may be guarded themselves, and `guarded` then holds side files of side files.
  for (const guarded of paths.filter((path) => !/(?:-wal|-shm|-journal){2}$/.test(path))) {
    const { path, missing } = await deepest(guarded);
    const [first] = missing;
    if (first === undefined) {
      // If the root is inside a guarded folder, the command sees nothing else of that folder.
      if (!shown.some((folder) => path !== folder && isInside(folder, path))) continue;
      await requirePinned(path);
      mounts.add(path, (await lstat(path)).isDirectory() ? "coveredFolder" : "coveredFile");
    } else if (isInside(root.path, path)) {
      const absent = { path: join(path, first), kind: missing.length > 1 ? "folder" : "file" } as const;
      await requirePinned(absent.path);
      if (await createPlaceholder(absent))
        mounts.add(absent.path, absent.kind === "folder" ? "coveredFolder" : "coveredFile");
    }
  }
}

/** The real path of the deepest existing folder on a path, and the missing names. */
async function deepest(path: string): Promise<{ path: string; missing: string[] }> {
  const missing: string[] = [];
  for (let there = path; ; there = dirname(there)) {
    const real = await realpath(there).catch(() => undefined);
    if (real !== undefined || there === dirname(there)) return { path: real ?? there, missing };
    missing.unshift(basename(there));
  }
}
