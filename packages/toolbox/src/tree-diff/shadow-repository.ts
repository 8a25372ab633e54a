import { copyFile, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

/** Where the parts of a repository are. */
export interface RepositoryPlaces {
  /** The folder of the files. */
  readonly top: string;
  readonly index: string;
  readonly objects: string;
  readonly excludes: string;
  /** How objects are named: `sha1` or `sha256`. */
  readonly format: string;
  /** The name of the last commit; undefined before the first one. */
  readonly head: string | undefined;
}

const settings = "[core]\n\trepositoryformatversion = 0\n";
const sha256Settings = "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n";

/** Bytes of an index that is copied. */
const largest = 256 * 1_048_576;

/**
 * Lets `work` use a repository of its own, which has the commit, the index and the objects of another one, and none of its settings and
 * hooks. It is removed then.
 */
export async function withShadow<T>(places: RepositoryPlaces, work: (shadow: string) => Promise<T>): Promise<T> {
  const shadow = await mkdtemp(join(tmpdir(), "cogency-diff-"));
  try {
    await Promise.all(
      ["objects/info", "refs/heads", "info"].map((name) => mkdir(join(shadow, name), { recursive: true })),
    );
    await writeFile(join(shadow, "config"), places.format === "sha256" ? sha256Settings : settings);
    await writeFile(join(shadow, "HEAD"), `${places.head ?? "ref: refs/heads/none"}\n`);
    await writeFile(join(shadow, "objects/info/alternates"), `${places.objects}\n`);
    await copied(places.excludes, join(shadow, "info/exclude"));
    await copied(places.index, join(shadow, "index"));
    const beside = dirname(places.index);
    for (const name of await readdir(beside).catch(() => []))
      if (/^sharedindex\.[0-9a-f]+$/.test(name)) await copied(join(beside, name), join(shadow, basename(name)));
    return await work(shadow);
  } finally {
    await rm(shadow, { recursive: true, force: true });
  }
}

/** A file that is not there is left out. */
async function copied(from: string, to: string): Promise<void> {
  const stats = await stat(from).catch(() => undefined);
  if (!stats?.isFile() || stats.size > largest) return;
  await copyFile(from, to);
  // By the time of its index git knows which files may have been written after it was, in the same moment.
  await utimes(to, stats.atime, stats.mtime);
}
