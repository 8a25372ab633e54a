import { lstat, mkdir, readdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "../../files/guard/is-inside.ts";
import { type KeptPlaces, setAsideMade } from "../obeyed/kept-places.ts";
import { isPlaceholder, removePlaceholder } from "./placeholders.ts";

/** What a running command in a sandbox sees, recorded for commands that start later. Read and written only during a turn. */
interface RunningCommand {
  /** The process that started it. */
  readonly pid: number;
  /** When that process began, in clock ticks: the system reuses pids. */
  readonly began: string;
  /** The pid namespace of that process. */
  readonly space: string;
  /** Its mounts by path. */
  readonly mounts: Readonly<Record<string, HeldMount>>;
  /** The placeholders that it needs. */
  readonly placeholders: readonly string[];
  /** What stood in its root before it. Absent in records of older versions. */
  readonly kept?: KeptPlaces;
  /** Whether it may run for hours. */
  readonly isLasting?: boolean;
}

export interface HeldMount {
  /** Whether the command can change it. */
  readonly isWritable: boolean;
  /** Device and inode, which a rename does not change. */
  readonly identity: string;
}

/** Whether a command could replace what is at `path`. A mount at the path itself pins it, if the same file is still there. */
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

/**
 * Returns the commands that run now. If a process was killed, it removes the placeholders of its commands, and sets aside what
 * they had made.
 */
export async function runningCommands(): Promise<RunningCommand[]> {
  const folder = await recordsFolder();
  const running: RunningCommand[] = [];
  const left: string[] = [];
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const command = await readRecord(file);
    if (command !== undefined && (await isAlive(command))) running.push(command);
    else {
      left.push(...(command?.placeholders ?? []));
      if (command?.kept !== undefined) await setAsideMade(command.kept).catch(() => {});
      await rm(file, { force: true });
    }
  }
  await sweepPlaceholders(left, running);
  return running;
}

/** @returns a function to call, during a turn, when the command has ended */
export async function recordCommand(
  mounts: Readonly<Record<string, HeldMount>>,
  placeholders: readonly string[],
  kept: KeptPlaces,
  isLasting: boolean,
): Promise<() => Promise<void>> {
  const [folder, began, space] = await Promise.all([recordsFolder(), startTimeOf(process.pid), pidNamespace()]);
  const file = join(folder, `${process.pid}-${++recorded}`);
  const record: RunningCommand = { pid: process.pid, began: began ?? "", space, mounts, placeholders, kept, isLasting };
  await writeFile(file, JSON.stringify(record), { mode: 0o600 });
  return async () => {
    await rm(file, { force: true });
    await sweepPlaceholders(placeholders, await runningCommands());
  };
}

let recorded = 0;

/** Removes the placeholders that no running command needs. */
export async function sweepPlaceholders(left: readonly string[], running: readonly RunningCommand[]): Promise<void> {
  const needed = new Set(running.flatMap(({ placeholders }) => placeholders));
  // In reverse order, so that a folder is empty when its turn comes.
  for (const path of [...left].sort().reverse()) {
    if (!needed.has(path) && (await isPlaceholder(path))) await removePlaceholder(path);
  }
}

/**
 * The folder where all processes of this user record their commands, whatever their environment. Commands in a sandbox do
 * not see it, because they have their own `/run` and `/tmp`.
 *
 * @throws Error if the folder belongs to another user, or other users can enter it
 */
export async function recordsFolder(): Promise<string> {
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

async function readRecord(file: string): Promise<RunningCommand | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as RunningCommand;
  } catch {
    return undefined;
  }
}

async function isAlive({ pid, began, space }: RunningCommand): Promise<boolean> {
  // The process is in another container that shares the folder, so its state is unknown here.
  if (space !== (await pidNamespace())) return true;
  return (await startTimeOf(pid)) === began;
}

async function startTimeOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => undefined);
  return stat?.slice(stat.lastIndexOf(")")).split(" ")[20];
}

async function pidNamespace(): Promise<string> {
  return readlink("/proc/self/ns/pid").catch(() => "");
}
