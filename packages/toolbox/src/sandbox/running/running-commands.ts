import { lstat, mkdir, readdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "../../files/guard/is-inside.ts";
import { isPlaceholder, takeAway } from "./placeholders.ts";

/** What a command that runs in a sandbox sees, for those that are started meanwhile. Read and written in a turn of one's own. */
interface RunningCommand {
  /** The process that started it. */
  readonly pid: number;
  /** When that process began, in the clock ticks of the system: the system gives numbers again. */
  readonly began: string;
  /** The namespace in which the number of the process means something. */
  readonly space: string;
  /** What is mounted: whether the command can change what is there, and which file or folder that is. */
  readonly mounts: Readonly<Record<string, HeldMount>>;
  /** Stand-ins that it needs. */
  readonly placeholders: readonly string[];
}

export interface HeldMount {
  readonly isWritable: boolean;
  /** Device and number, of what does not change hands by a new name. */
  readonly identity: string;
}

/** Whether a command could put something else where `path` leads: nothing that it cannot move is in the way. */
export function canMove({ mounts }: RunningCommand, path: string, identity: string | undefined): boolean {
  const above = Object.keys(mounts).filter((point) => isInside(point, path));
  const nearest = above.reduce<string | undefined>(
    (best, point) => (best === undefined || point.length > best.length ? point : best),
    undefined,
  );
  const mount = nearest === undefined ? undefined : mounts[nearest];
  if (mount === undefined) return false;
  return nearest === path ? mount.identity !== identity : mount.isWritable;
}

/** @returns undefined if the file does not exist */
export async function identityAt(path: string): Promise<string | undefined> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  return stats && `${stats.dev}:${stats.ino}`;
}

/** The commands that run now. What those of processes that were killed have left behind is taken away. */
export async function runningCommands(): Promise<RunningCommand[]> {
  const folder = await ownFolder();
  const running: RunningCommand[] = [];
  const left: string[] = [];
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const command = await recordIn(file);
    if (command !== undefined && (await isAlive(command))) running.push(command);
    else {
      left.push(...(command?.placeholders ?? []));
      await rm(file, { force: true });
    }
  }
  await sweep(left, running);
  return running;
}

/** @returns what to call, in a turn of one's own, when the command has ended */
export async function enter(
  mounts: Readonly<Record<string, HeldMount>>,
  placeholders: readonly string[],
): Promise<() => Promise<void>> {
  const [folder, began, space] = await Promise.all([ownFolder(), beganAt(process.pid), ownSpace()]);
  const file = join(folder, `${process.pid}-${++entered}`);
  const record: RunningCommand = { pid: process.pid, began: began ?? "", space, mounts, placeholders };
  await writeFile(file, JSON.stringify(record), { mode: 0o600 });
  return async () => {
    await rm(file, { force: true });
    await sweep(placeholders, await runningCommands());
  };
}

let entered = 0;

/** Removes stand-ins that no running command needs. */
export async function sweep(left: readonly string[], running: readonly RunningCommand[]): Promise<void> {
  const needed = new Set(running.flatMap(({ placeholders }) => placeholders));
  // The names below a folder before it.
  for (const path of [...left].sort().reverse()) {
    if (!needed.has(path) && (await isPlaceholder(path))) await takeAway(path);
  }
}

/**
 * Where all processes of this user find one another, whatever their environment. No command sees it: `/run` and `/tmp` are
 * its own.
 *
 * @throws Error if the folder belongs to another user, or other users can enter it
 */
export async function ownFolder(): Promise<string> {
  const user = process.geteuid?.() ?? 0;
  const runtime = await lstat(`/run/user/${user}`).catch(() => undefined);
  const folder = runtime?.uid === user ? `/run/user/${user}/cogency` : `/tmp/cogency-${user}`;
  await mkdir(folder, { mode: 0o700 }).catch(() => {});
  const stats = await lstat(folder);
  if (!stats.isDirectory() || stats.uid !== user || (stats.mode & 0o077) !== 0) {
    throw new Error(`"${folder}" has to be a folder that belongs to this user alone: remove it`);
  }
  return folder;
}

async function recordIn(file: string): Promise<RunningCommand | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as RunningCommand;
  } catch {
    return undefined;
  }
}

async function isAlive({ pid, began, space }: RunningCommand): Promise<boolean> {
  // Of a container that has the same folder nobody here can know.
  if (space !== (await ownSpace())) return true;
  return (await beganAt(pid)) === began;
}

async function beganAt(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => undefined);
  return stat?.slice(stat.lastIndexOf(")")).split(" ")[20];
}

async function ownSpace(): Promise<string> {
  return readlink("/proc/self/ns/pid").catch(() => "");
}
