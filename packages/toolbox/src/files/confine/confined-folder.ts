import { constants, type Dirent } from "node:fs";
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  rmdir,
  stat,
  symlink,
} from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { ToolboxError } from "../../errors.ts";
import { errorCode, fromSystem } from "../../system-error.ts";
import type { Reach } from "../guard/reach.ts";
import { refuseConfiguration } from "./obeyed-names.ts";
import { isInside, pathInRoot, type Root } from "./root.ts";

interface FolderOptions {
  /** Creates missing folders. */
  create?: boolean;
  /** What no tool may reach, as of the start of a call that opens many folders; defaults to what it is now. */
  reach?: Reach | undefined;
}

/**
 * Opens the folder with the real path `path`, passes it to `use` and closes it. It opens one folder after another from the
 * root, without following links: if a folder was swapped for a link, it throws.
 *
 * @throws ToolboxError `path_changed`, `path_outside_root`, `out_of_reach`, `root_not_found`, `permission_denied`,
 *   `io_error`
 */
export async function withFolder<T>(
  root: Root,
  path: string,
  use: (folder: ConfinedFolder) => Promise<T>,
  options: FolderOptions = {},
): Promise<T> {
  const folder = await openConfined(root, path, options);
  try {
    return await use(folder);
  } finally {
    await folder.close();
  }
}

/** Like `withFolder`, but the caller must close the folder. */
export async function openConfined(root: Root, path: string, options: FolderOptions = {}): Promise<ConfinedFolder> {
  let folder = await openTop(root, options.reach);
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

/** An open folder inside the root. Every file and folder opened through it is checked to be inside before it is used. */
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
   * The path of an entry for system calls. With the `descriptor` anchor it goes through the open folder, so it leads to the
   * same entry even if the folder's own path now leads elsewhere.
   */
  at(name: string): string {
    return join(this.#root.anchor === "descriptor" ? `/proc/self/fd/${this.#handle.fd}` : this.path, name);
  }

  /**
   * Checks an entry, and returns the path to create or replace it.
   *
   * @throws ToolboxError `out_of_reach` if the entry is guarded, `permission_denied` for configuration of the program, and
   * what opening the folder throws
   */
  async target(name: string): Promise<string> {
    const shown = this.shown(name);
    const real = join(await this.#verifyItself(shown), name);
    refuseConfiguration(this.#root, real, shown);
    const there = await lstat(this.at(name), { bigint: true }).catch(() => undefined);
    if (there === undefined) this.#reach.checkName(real, shown);
    else await this.#reach.check(real, there, this.at(name), shown);
    return this.at(name);
  }

  /** The path of an entry as it is shown to the model. */
  shown(name: string): string {
    return pathInRoot(this.#root, join(this.path, name));
  }

  /** Opens a file for reading. It follows no link and does not wait for the writer of a pipe. The caller closes it. */
  openFile(name: string): Promise<FileHandle> {
    return this.#open(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  }

  /** Creates a file for writing, and throws if it exists. Errors name the folder. The caller closes it. */
  createFile(name: string, mode?: number): Promise<FileHandle> {
    return this.#open(name, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, {
      mode,
      shown: this.path,
    });
  }

  /** Opens a folder in it. It follows no link. The caller closes it. */
  async openFolder(name: string): Promise<ConfinedFolder> {
    return new ConfinedFolder(this.#root, join(this.path, name), await this.#open(name, openFolderFlags), this.#reach);
  }

  /** Creates a folder in it unless it exists. */
  async createFolder(name: string): Promise<void> {
    try {
      this.#reach.checkName(join(this.path, name), this.shown(name));
      refuseConfiguration(this.#root, join(this.path, name), this.shown(name));
      await mkdir(this.at(name));
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw fromSystem(error, this.shown(name));
    }
  }

  /** Removes a folder in it if it is empty. @returns whether it was */
  async removeFolder(name: string): Promise<boolean> {
    return rmdir(this.at(name)).then(
      () => true,
      () => false,
    );
  }

  /** Creates a link in it, which may lead anywhere: nothing follows it. @returns false if the name is taken */
  async createLink(name: string, target: string): Promise<boolean> {
    try {
      await symlink(target, await this.target(name));
      return true;
    } catch (error) {
      if (errorCode(error) === "EEXIST") return false;
      throw fromSystem(error, this.shown(name));
    }
  }

  /** Sets the permission bits of a file or folder in it. It follows no link. */
  async setMode(name: string, mode: number): Promise<void> {
    const handle = await this.openFile(name);
    try {
      refuseConfiguration(this.#root, join(this.path, name), this.shown(name));
      await handle.chmod(mode);
    } catch (error) {
      throw fromSystem(error, this.shown(name));
    } finally {
      await handle.close();
    }
  }

  /** Its entries without guarded ones, sorted by name. */
  async entries(): Promise<Dirent[]> {
    const shown = pathInRoot(this.#root, this.path);
    try {
      const entries = await readdir(this.at("."), { withFileTypes: true });
      // Without the descriptor anchor, the path may have led to another folder while it was read.
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
      return await verifiedOrClosed(
        this.#root,
        path,
        await open(this.at(name), flags, options.mode),
        this.#reach,
        shown,
      );
    } catch (error) {
      throw fromSystem(error, shown);
    }
  }
}

const openFolderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

async function openTop(root: Root, given?: Reach): Promise<ConfinedFolder> {
  const reach = given ?? (await root.guard.now());
  try {
    const handle = await verifiedOrClosed(root, root.path, await open(root.path, openFolderFlags), reach, ".");
    return new ConfinedFolder(root, root.path, handle, reach);
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "ELOOP") throw fromSystem(error, ".");
    throw new ToolboxError("root_not_found", ".", "The root folder does not exist any more.", { cause: error });
  }
}

async function verifiedOrClosed(
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
 * Checks that an opened file or folder is inside the root and not guarded, before a byte of it is read or written.
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
  // A second realpath, so that an attacker would have to swap the folder at each of these moments.
  const isSame = opened.dev === there.dev && opened.ino === there.ino && (await realpath(path)) === real;
  if (isSame) return real;
  throw new ToolboxError("path_changed", shown, `"${shown}" changed while it was being used; try again.`);
}
