import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Content } from "@cogency/tools";
import { pathInRoot, type Root } from "../confine/root.ts";

/**
 * Records which content the results of a file tool bring into a conversation. All of it is private. It is untrusted as well if
 * the call looked into files that the host marked. A call is identified by its arguments: the executor passes the same object
 * to each step of a call.
 */
export class Provenance {
  readonly #root: Root;
  readonly #tool: string;
  /** By call: the first marked file, or null if the call began and found none yet. */
  readonly #firstMarked = new WeakMap<object, string | null>();

  constructor(root: Root, tool: string) {
    this.#root = root;
    this.#tool = tool;
  }

  /** Marks the start of a call. From then on, only files reported to `onFile` count for it. */
  onBegin(args: object): void {
    if (!this.#firstMarked.has(args)) this.#firstMarked.set(args, null);
  }

  /** Reports that the result of the call holds content of the file with this real path. */
  onFile(args: object, real: string): void {
    if (this.#root.hasMarks && !this.#firstMarked.get(args) && this.#root.isMarked(real))
      this.#firstMarked.set(args, real);
  }

  /**
   * @param asked the file or folder of the call
   * @param isSearch whether the result may hold anything below `asked`. Before such a call begins, it counts as untrusted if
   * any file of the root is marked
   */
  brings(args: object, asked: string, isSearch: boolean): Content[] {
    const untrusted = this.#untrusted(args, asked, isSearch);
    return [
      { holds: "private", source: `${this.#tool} ${asked}` },
      ...(untrusted === undefined ? [] : [{ holds: "untrusted" as const, source: untrusted }]),
    ];
  }

  #untrusted(args: object, asked: string, isSearch: boolean): string | undefined {
    const firstMarked = this.#firstMarked.get(args);
    if (firstMarked === null || !this.#root.hasMarks) return undefined;
    if (firstMarked !== undefined) return pathInRoot(this.#root, firstMarked);
    return isSearch || this.#root.isMarked(realOrLexical(resolve(this.#root.base, asked))) ? asked : undefined;
  }
}

function realOrLexical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
