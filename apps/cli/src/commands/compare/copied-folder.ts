import { constants } from "node:fs";
import { chmod, copyFile, lstat, mkdir, mkdtemp, readdir, readlink, realpath, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import { UsageError } from "../../base/errors/usage-error.ts";
import { realPath } from "../../base/files/real-path.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { removeFolder } from "./remove-folder.ts";

/** A copy of a folder, which exists until it is removed, or the process ends. */
export interface CopiedFolder {
  readonly path: string;
  remove(): void;
}

/** How much a copy may hold. */
export interface CopyLimits {
  readonly bytes: number;
  readonly entries: number;
}

const usualCopyLimits: CopyLimits = { bytes: 512 * 1024 * 1024, entries: 50_000 };

/**
 * Copies a folder into a new temporary one. Links stay links; those with an absolute path into the folder lead into the copy. Devices, pipes
 * and sockets are left out.
 *
 * @param guarded absolute paths that are left out, as tools do not reach them in the folder either
 * @throws UsageError for a folder that holds more than the limits, or that cannot be read
 */
export async function copiedFolder(
  folder: string,
  signal: AbortSignal,
  guarded: readonly string[] = [],
  limits: CopyLimits = usualCopyLimits,
): Promise<CopiedFolder> {
  const from = await realpath(resolve(folder));
  const made = await realpath(await mkdtemp(join(tmpdir(), "cogency-compare-")));
  const remove = () => removeFolder(made);
  const copy = new Copy(from, join(made, "folder"), {
    // The folder may hold the temporary folders, and this one with them.
    guarded: new Set([made, ...guarded.map((path) => realPath(path) ?? path)]),
    limits,
    signal,
  });
  // Also where a second Ctrl-C ends the process at once.
  process.once("exit", remove);
  const done = {
    path: copy.to,
    remove() {
      process.off("exit", remove);
      remove();
    },
  };
  try {
    await copy.folder(from, copy.to);
    return done;
  } catch (error) {
    done.remove();
    if (error instanceof UsageError || signal.aborted) throw error;
    throw new UsageError(`--calls run: the folder cannot be copied: ${oneLine((error as Error).message, 300)}`, {
      cause: error,
    });
  }
}

interface CopyBounds {
  readonly guarded: ReadonlySet<string>;
  readonly limits: CopyLimits;
  readonly signal: AbortSignal;
}

class Copy {
  readonly to: string;
  readonly #from: string;
  readonly #bounds: CopyBounds;
  #bytes = 0;
  #entries = 0;

  constructor(from: string, to: string, bounds: CopyBounds) {
    this.#from = from;
    this.to = to;
    this.#bounds = bounds;
  }

  async folder(from: string, to: string): Promise<void> {
    await mkdir(to, { mode: 0o700 });
    for (const name of await readdir(from)) await this.#entry(join(from, name), join(to, name));
    await chmod(to, (await lstat(from)).mode & 0o777);
  }

  async #entry(from: string, to: string): Promise<void> {
    this.#bounds.signal.throwIfAborted();
    if (this.#bounds.guarded.has(from)) return;
    const found = await lstat(from);
    this.#entries++;
    if (found.isFile()) this.#bytes += found.size;
    this.#check();
    if (found.isDirectory()) await this.folder(from, to);
    else if (found.isSymbolicLink()) await symlink(this.#target(await readlink(from)), to);
    // A copy, never a hard link: what is written to it stays in it.
    else if (found.isFile()) await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  }

  #check(): void {
    const { bytes, entries } = this.#bounds.limits;
    const what =
      this.#bytes > bytes
        ? `${Math.round(bytes / 1024 / 1024)} MB`
        : this.#entries > entries
          ? `${entries} files`
          : undefined;
    if (what === undefined) return;
    throw new UsageError(
      `--calls run copies the folder, and ${oneLine(this.#from, 200)} holds more than ${what}. Name a smaller one with --root, or leave --calls run out.`,
    );
  }

  #target(link: string): string {
    const inside = link === this.#from || link.startsWith(this.#from + sep);
    return inside ? join(this.to, relative(this.#from, link)) : link;
  }
}
