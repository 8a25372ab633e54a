import { openRoot } from "@cogency/toolbox";
import { projectFiles } from "@cogency/toolbox/files";

/** Milliseconds after which the files are read again. */
const fresh = 5000;
/** Files that are known; of a larger folder the first ones. */
const most = 20_000;

/** The paths below a folder that git does not ignore, for completion. */
export class FileIndex {
  readonly #folder: string;
  #paths: Promise<readonly string[]> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Files, and folders, which end in `/`; none if the folder cannot be read. */
  paths(): Promise<readonly string[]> {
    if (this.#paths && performance.now() - this.#readAt < fresh) return this.#paths;
    const before = this.#paths;
    this.#readAt = performance.now();
    this.#paths = readPaths(this.#folder).catch(() => {
      this.#readAt = Number.NEGATIVE_INFINITY;
      return before ?? [];
    });
    return this.#paths;
  }
}

async function readPaths(folder: string): Promise<readonly string[]> {
  const root = await openRoot(folder, { access: "project" });
  const files = await projectFiles(root, new AbortController().signal, most);
  return [...new Set(files.flatMap((file) => [...foldersOf(file), file]))];
}

/** `a/b/c.ts` is in `a/` and `a/b/`. */
function foldersOf(file: string): string[] {
  return Array.from(file.matchAll(/\//g), ({ index }) => file.slice(0, index + 1));
}
