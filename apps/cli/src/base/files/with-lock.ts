import { link, mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";

/** Milliseconds between two tries, until a lock counts as left behind, and until giving up. */
const interval = 15;
const leftBehind = 10_000;
const patience = 20_000;

/**
 * Does work that reads a file and writes it anew, while no other process does so. The lock is a file beside it; that of a
 * process that died is broken after ten seconds. A process that was held up for so long leaves the lock of the next one alone.
 *
 * @throws Error if another process holds the lock for twenty seconds
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const lock = `${file}.lock`;
  const owner = crypto.randomUUID();
  const until = Date.now() + patience;
  while (!(await taken(lock, owner))) {
    if (Date.now() > until) throw new Error(`Another process keeps ${lock}. If there is none, remove it.`);
    await breakOld(lock);
    await setTimeout(interval);
  }
  try {
    return await work();
  } finally {
    if ((await readFile(lock, "utf8").catch(() => "")) === owner) await rm(lock, { force: true });
  }
}

/** Replaces a file as a whole: a reader finds the old text or the new one. */
export async function replaceFile(file: string, text: string, mode: number): Promise<void> {
  const draft = `${file}.${crypto.randomUUID()}`;
  try {
    const handle = await open(draft, "wx", mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

async function taken(lock: string, owner: string): Promise<boolean> {
  try {
    await writeFile(lock, owner, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function breakOld(lock: string): Promise<void> {
  if (!(await isOld(lock))) return;
  const moved = `${lock}.${crypto.randomUUID()}`;
  try {
    await rename(lock, moved);
    // Another process may have broken the old lock and taken a new one meanwhile: this one goes back.
    if (!(await isOld(moved))) await link(moved, lock).catch(() => {});
    await rm(moved, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

async function isOld(file: string): Promise<boolean> {
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs > leftBehind;
}
