import { constants, type Dirent } from "node:fs";
import { type FileHandle, mkdir, open, readdir, readlink, realpath, rmdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { ToolboxError } from "../errors.ts";
import { refuseProcessFolder } from "./process-folder.ts";
import { isInside, pathInRoot, type Root } from "./root.ts";
import { errorCode, fromSystem } from "./system-error.ts";

/**
 * Opens the folder with the real path `path`, gives it to `use` and closes it. It is reached from the root name by
 * name, and no link is followed on the way: a folder that is swapped for a link in the meantime is an error.
 *
 * @param options.create makes the folders that are missing
 * @throws ToolboxError `path_changed`, `path_outside_root`, `root_not_found`, `permission_denied`, `io_error`
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

  constructor(root: Root, path: string, handle: FileHandle) {
    this.#root = root;
    this.path = path;
    this.#handle = handle;
  }

  /**
   * The path by which to reach an entry. With the `descriptor` anchor it goes through the open folder itself, so it
   * means the same entry whatever has become of the folder's own path.
   */
  at(name: string): string {
    return join(this.#root.anchor === "descriptor" ? `/proc/self/fd/${this.#handle.fd}` : this.path, name);
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
    return new ConfinedFolder(this.#root, join(this.path, name), await this.#open(name, FOLDER));
  }

  /** Makes a folder in it unless there is one. */
  async createFolder(name: string): Promise<void> {
    try {
      await mkdir(this.at(name));
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw fromSystem(error, this.shown(name));
    }
  }

  /** Removes a folder in it if that is empty. */
  async removeFolder(name: string): Promise<void> {
    await rmdir(this.at(name)).catch(() => {});
  }

  /** What is in it, in the order of the names. */
  async entries(): Promise<Dirent[]> {
    const shown = pathInRoot(this.#root, this.path);
    try {
      const entries = await readdir(this.at("."), { withFileTypes: true });
      // Reached by path, the folder may have been another one while it was being read.
      await verify(this.#root, this.path, this.#handle, shown);
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      throw fromSystem(error, shown);
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #open(name: string, flags: number, options: { mode?: number | undefined; shown?: string } = {}) {
    const path = join(this.path, name);
    const shown = pathInRoot(this.#root, options.shown ?? path);
    try {
      return await verified(this.#root, path, await open(this.at(name), flags, options.mode), shown);
    } catch (error) {
      throw fromSystem(error, shown);
    }
  }
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

async function openTop(root: Root): Promise<ConfinedFolder> {
  try {
    return new ConfinedFolder(root, root.path, await verified(root, root.path, await open(root.path, FOLDER), "."));
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "ELOOP") throw fromSystem(error, ".");
    throw new ToolboxError("root_not_found", ".", "The root folder does not exist any more.", { cause: error });
  }
}

async function verified(root: Root, path: string, handle: FileHandle, shown: string): Promise<FileHandle> {
  try {
    await verify(root, path, handle, shown);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Compares what was opened with the root, before a byte of it is read or written. */
async function verify(root: Root, path: string, handle: FileHandle, shown: string): Promise<void> {
  const real = root.anchor === "descriptor" ? await readlink(`/proc/self/fd/${handle.fd}`) : await realpath(path);
  if (!isInside(root.path, real)) {
    throw new ToolboxError("path_outside_root", shown, `"${shown}" has been moved out of the root folder.`);
  }
  refuseProcessFolder(real, shown);
  if (root.anchor === "descriptor") return;
  const opened = await handle.stat({ bigint: true });
  const there = await stat(real, { bigint: true });
  // Asked once more, so that a swap would have to hit each of these moments.
  const isSame = opened.dev === there.dev && opened.ino === there.ino && (await realpath(path)) === real;
  if (!isSame) {
    throw new ToolboxError("path_changed", shown, `"${shown}" changed while it was being used; try again.`);
  }
}
