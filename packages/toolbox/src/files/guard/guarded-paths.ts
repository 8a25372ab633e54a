import { readFile, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize, resolve } from "node:path";
import { ToolboxError } from "../../errors.ts";
import { errorCode } from "../../system-error.ts";
import { type Mount, mountAliases, parseMounts } from "./mounts.ts";
import { foldPath, identityOf, Reach } from "./reach.ts";

/**
 * The files and folders that no tool reaches, with any access, such as the store and the keys of the program. They are
 * recognised by their real paths and by the identity that the file system gives them, so that no link, other spelling or second
 * mount leads to them. They need not exist yet.
 */
export class GuardedPaths {
  /** The real paths at the time of `open`, with the side files of SQLite for each path that is not a folder. */
  readonly paths: readonly string[];
  readonly #given: readonly string[];
  /** The birth time of each identity ever found at a guarded path, so that a file stays guarded after a rename. */
  readonly #known = new Map<string, bigint>();

  private constructor(given: readonly string[], paths: readonly string[]) {
    this.#given = given;
    this.paths = paths;
  }

  /** @throws ToolboxError `path_invalid` for a path that is not absolute */
  static async open(given: readonly string[]): Promise<GuardedPaths> {
    for (const path of given) {
      if (!isAbsolute(path) || path.includes("\0")) throw notAbsolute(path);
    }
    const absolute = given.map((path) => resolve(normalize(path)));
    const places = await Promise.all(absolute.map(placesOf));
    const guard = new GuardedPaths(absolute, [...new Set(places.flat())]);
    await guard.now();
    return guard;
  }

  /** The guarded files as they are now, including paths that appeared or lead elsewhere since `open`. */
  async now(): Promise<Reach> {
    if (this.#given.length === 0) return new Reach();
    const [places, mounts] = await Promise.all([Promise.all(this.#given.map(placesOf)), mountTable()]);
    const paths = [...new Set([...this.#given, ...this.paths, ...places.flat()])];
    const found = await Promise.all(paths.map((path) => stat(path, { bigint: true }).catch(() => undefined)));
    const here = new Set<string>();
    for (const stats of found) {
      if (stats === undefined) continue;
      here.add(identityOf(stats));
      this.#known.set(identityOf(stats), stats.birthtimeNs);
    }
    const folders = paths.filter((_, index) => found[index]?.isDirectory());
    const hasOtherNames =
      found.some((stats) => stats?.isFile() && stats.nlink > 1n) || [...this.#known.keys()].some((id) => !here.has(id));
    const names = paths.flatMap((path) => [path, ...mountAliases(mounts, path)]).map(foldPath);
    return new Reach({ names: new Set(names), identities: new Map(this.#known), folders, hasOtherNames });
  }
}

/** The paths that a guarded path means: its name in its real folder, and the target if it is a link. */
async function placesOf(path: string): Promise<string[]> {
  const own = join(await realPlace(dirname(path)), basename(path));
  const real = await realPlace(path);
  const isFolder = await stat(real).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  const names = [...new Set([own, real])];
  return isFolder ? names : names.flatMap((name) => [name, ...sideFiles.map((suffix) => name + suffix)]);
}

// SQLite replays these files into the database beside them, so changing one changes the database.
const sideFiles = ["-wal", "-shm", "-journal"];

/** The real path. If it does not exist, the real path of the deepest existing folder, followed by the missing names. */
async function realPlace(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (dirname(path) === path || links > mostLinks) return path;
    const target = errorCode(error) === "ENOENT" ? await readlink(path).catch(() => undefined) : undefined;
    // A dangling link: a file created through it appears at its target.
    if (target !== undefined) return realPlace(resolve(dirname(path), target), links + 1);
    return join(await realPlace(dirname(path), links), basename(path));
  }
}

const mostLinks = 40;

async function mountTable(): Promise<readonly Mount[]> {
  if (process.platform !== "linux") return [];
  return parseMounts(await readFile("/proc/self/mountinfo", "utf8").catch(() => ""));
}

function notAbsolute(path: string): ToolboxError {
  const advice = "Resolve it first, against the folder that it is meant to be in.";
  return new ToolboxError("path_invalid", path, `"${path}" in \`guarded\` is not an absolute path. ${advice}`);
}
