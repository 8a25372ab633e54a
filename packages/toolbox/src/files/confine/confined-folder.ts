import { constants, type Dirent } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, readlink, realpath, rmdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { ToolboxError } from "../../errors.ts";
import { errorCode, fromSystem } from "../../system-error.ts";
import type { Reach } from "../guard/reach.ts";
import { isInside, pathInRoot, type Root } from "./root.ts";

/**
 * Opens the folder with the real path `path`, gives it to `use` and closes it. It is reached from the root name by
 * name, and no link is followed on the way: a folder that is swapped for a link in the meantime is an error.
 *
 * @param options.create makes the folders that are missing
 * @throws ToolboxError `path_changed`, `path_outside_root`, `out_of_reach`, `root_not_found`, `permission_denied`,
 *   `io_error`
 */
export async function withFolder<T>(
  root: Root,
  path: string,
  use: (folder: ConfinedFolder) => Promise<T>,
  options: { create?: boolean } = {},
): Promise<T> {
  const folder = await openConfined(root, path, options);
  try {
    return await use(folder);
  } finally {
    await folder.close();
  }
}

/** The same for a folder that stays open until it is closed by whoever opened it. */
export async function openConfined(
  root: Root,
  path: string,
  options: { create?: boolean } = {},
): Promise<ConfinedFolder> {
  let folder = await openTop(root);
  try {
    for (const name of relative(root.path, path).split(sep)) {
      if (name === "") continue;
      if (options.create) await folder.createFolder(name);
      const child = await folder.openFolder(name);
      await folder.close();
      folder = child;
    }
    return folder;
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** An open folder inside the root. Every file and folder opened through it is known to be inside before it is used. */
export class ConfinedFolder {
  /** The real path under which it was opened. */
  readonly path: string;
  readonly #root: Root;
  readonly #handle: FileHandle;
  readonly #reach: Reach;

  constructor(root: Root, path: string, handle: FileHandle, reach: Reach) {
    this.#root = root;
    this.path = path;
    this.#handle = handle;
    this.#reach = reach;
  }

  /**
   * The path by which to reach an entry. With the `descriptor` anchor it goes through the open folder itself, so it
   * means the same entry whatever has become of the folder's own path.
   */
  at(name: string): string {
    return join(this.#root.anchor === "descriptor" ? `/proc/self/fd/${this.#handle.fd}` : this.path, name);
  }

  /**
   * The path by which to put something in the place of an entry, or to make it.
   *
   * @throws ToolboxError `out_of_reach` if the entry is guarded, and what opening the folder throws
   */
  async target(name: string): Promise<string> {
    const shown = this.shown(name);
    const real = join(await this.#verifyItself(shown), name);
    const there = await lstat(this.at(name), { bigint: true }).catch(() => undefined);
    if (there === undefined) this.#reach.checkName(real, shown);
    else await this.#reach.check(real, there, this.at(name), shown);
    return this.at(name);
  }

  /** How an entry is shown to the model. */
  shown(name: string): string {
    return pathInRoot(this.#root, join(this.path, name));
  }

  /** Opens a file for reading, not through a link, and without waiting for the other end of a pipe. Close it. */
  openFile(name: string): Promise<FileHandle> {
    return this.#open(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  }

  /** Creates a file for writing; an error if there is one. What goes wrong is told of the folder. Close it. */
  createFile(name: string, mode?: number): Promise<FileHandle> {
    return this.#open(name, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, {
      mode,
      shown: this.path,
    });
  }

  /** Opens a folder in it, not through a link. Close it. */
  async openFolder(name: string): Promise<ConfinedFolder> {
    return new ConfinedFolder(this.#root, join(this.path, name), await this.#open(name, openFolderFlags), this.#reach);
  }

  /** Makes a folder in it unless there is one. */
  async createFolder(name: string): Promise<void> {
    try {
      this.#reach.checkName(join(this.path, name), this.shown(name));
      await mkdir(this.at(name));
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw fromSystem(error, this.shown(name));
    }
  }

  /** Removes a folder in it if that is empty. */
  async removeFolder(name: string): Promise<void> {
    await rmdir(this.at(name)).catch(() => {});
  }

  /** What is in it and not guarded, in the order of the names. */
  async entries(): Promise<Dirent[]> {
    const shown = pathInRoot(this.#root, this.path);
    try {
      const entries = await readdir(this.at("."), { withFileTypes: true });
      // Reached by path, the folder may have been another one while it was being read.
      const real = await this.#verifyItself(shown);
      const visible = await this.#reach.visible(entries, real, this.at("."));
      return visible.sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      throw fromSystem(error, shown);
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  #verifyItself(shown: string): Promise<string> {
    return verify(this.#root, this.path, this.#handle, this.#reach, shown);
  }

  async #open(name: string, flags: number, options: { mode?: number | undefined; shown?: string } = {}) {
    const path = join(this.path, name);
    const shown = pathInRoot(this.#root, options.shown ?? path);
    try {
      return await verified(this.#root, path, await open(this.at(name), flags, options.mode), this.#reach, shown);
    } catch (error) {
      throw fromSystem(error, shown);
    }
  }
}

const openFolderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

async function openTop(root: Root): Promise<ConfinedFolder> {
  const reach = await root.guard.now();
  try {
    const handle = await verified(root, root.path, await open(root.path, openFolderFlags), reach, ".");
    return new ConfinedFolder(root, root.path, handle, reach);
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "ELOOP") throw fromSystem(error, ".");
    throw new ToolboxError("root_not_found", ".", "The root folder does not exist any more.", { cause: error });
  }
}

async function verified(
  root: Root,
  path: string,
  handle: FileHandle,
  reach: Reach,
  shown: string,
): Promise<FileHandle> {
  try {
    await verify(root, path, handle, reach, shown);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Compares what was opened with the root and with what is guarded, before a byte of it is read or written.
 *
 * @returns its real path
 */
async function verify(root: Root, path: string, handle: FileHandle, reach: Reach, shown: string): Promise<string> {
  const held = `/proc/self/fd/${handle.fd}`;
  const [real, opened] = await Promise.all([
    root.anchor === "descriptor" ? readlink(held) : realpath(path),
    handle.stat({ bigint: true }),
  ]);
  if (!isInside(root.path, real)) {
    throw new ToolboxError("path_outside_root", shown, `"${shown}" has been moved out of the root folder.`);
  }
  await reach.check(real, opened, root.anchor === "descriptor" ? held : real, shown);
  if (root.anchor === "descriptor") return real;
  const there = await stat(real, { bigint: true });
  // Asked once more, so that a swap would have to hit each of these moments.
  const isSame = opened.dev === there.dev && opened.ino === there.ino && (await realpath(path)) === real;
  if (isSame) return real;
  throw new ToolboxError("path_changed", shown, `"${shown}" changed while it was being used; try again.`);
}
