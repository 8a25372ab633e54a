import { chmod, lstat, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { smallText } from "./small-text.ts";

/** What makes a folder a repository for git. Without it git looks in the folder above, and obeys the settings there. */
interface RepositoryState {
  readonly path: string;
  readonly head: string;
  /** The permissions of the folder and of the folders that it needs. */
  readonly modes: Readonly<Record<string, number>>;
}

/** @returns undefined if the folder is not a complete repository */
export async function repositoryState(path: string): Promise<RepositoryState | undefined> {
  const head = await headOf(path);
  if (head === undefined) return undefined;
  const modes: Record<string, number> = {};
  for (const name of ["", "objects", "refs"]) {
    const stats = await lstat(join(path, name)).catch(() => undefined);
    if (stats?.isDirectory()) modes[join(path, name)] = stats.mode & 0o7777;
  }
  return { path, head, modes };
}

/**
 * Restores a repository.
 *
 * @returns whether it was broken
 */
export async function restoreRepository({ path, head, modes }: RepositoryState): Promise<boolean> {
  let isBroken = false;
  for (const [folder, mode] of Object.entries(modes)) {
    const stats = await lstat(folder).catch(() => undefined);
    if (!stats?.isDirectory() || (stats.mode & 0o500) === (mode & 0o500)) continue;
    isBroken = true;
    await chmod(folder, mode);
  }
  if ((await headOf(path)) !== undefined) return isBroken;
  const made = join(path, `HEAD.${crypto.randomUUID()}`);
  await writeFile(made, head, { flag: "wx" });
  await rm(join(path, "HEAD"), { recursive: true, force: true });
  await rename(made, join(path, "HEAD"));
  return true;
}

/** The text of HEAD, if git would accept it. */
export async function headOf(path: string): Promise<string | undefined> {
  const text = await smallText(join(path, "HEAD"), 4096);
  return text !== undefined && /^(?:ref:\s*refs\/\S+|[0-9a-f]{40,64})\s*$/.test(text) ? text : undefined;
}
