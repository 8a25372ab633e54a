import { link, open, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { LoginError } from "../client/auth/login-error.ts";

/** Milliseconds between two tries, between two signs of life, until a lock counts as left behind, and until giving up. */
const interval = 20;
const beat = 2000;
const leftBehind = 10_000;
const patience = 120_000;

/**
 * Does work while no other process does so. The lock is a file beside `path`; that of a process that died is broken after ten seconds.
 * A process that was held up so long that its lock was broken, as by a machine that slept, leaves the next one's alone.
 *
 * @throws LoginError `unreadable_store` if another process holds the lock for two minutes
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  const owner = crypto.randomUUID();
  const until = Date.now() + patience;
  while (!(await taken(lock, owner))) {
    if (Date.now() > until) {
      throw new LoginError("unreadable_store", `Another process keeps ${lock}. If there is none, remove it.`);
    }
    await breakOld(lock);
    await setTimeout(interval);
  }
  const isOwn = async () => (await readFile(lock, "utf8").catch(() => "")) === owner;
  const alive = setInterval(async () => {
    if (await isOwn()) await utimes(lock, new Date(), new Date()).catch(() => {});
  }, beat).unref();
  try {
    return await work();
  } finally {
    clearInterval(alive);
    if (await isOwn()) await rm(lock, { force: true });
  }
}

/** Replaces a file as a whole: a reader finds the old text or the new one. Only its owner can read it. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
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
