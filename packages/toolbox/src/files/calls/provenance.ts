import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Content } from "@cogency/tools";
import { pathInRoot, type Root } from "../confine/root.ts";

/**
 * Answers what content the results of a file tool bring into a conversation. All of it is private. It is untrusted as well if
 * the call looked into files that the host marked. A call is identified by its arguments, which an executor hands to each step.
 */
export class Provenance {
  readonly #root: Root;
  readonly #tool: string;
  /** The first marked file of each call that began, or null if there was none so far. */
  readonly #met = new WeakMap<object, string | null>();

  constructor(root: Root, tool: string) {
    this.#root = root;
    this.#tool = tool;
  }

  /** The call begins: from here on only files reported to `meets` count for it. */
  begins(args: object): void {
    if (!this.#met.has(args)) this.#met.set(args, null);
  }

  /** The result of the call holds content of the file with this real path. */
  meets(args: object, real: string): void {
    if (this.#root.hasMarks && !this.#met.get(args) && this.#root.isMarked(real)) this.#met.set(args, real);
  }

  /**
   * @param asked the file or folder of the call
   * @param isSearch whether all that is below it may come into the result: then, before the call began, it counts as
   * untrusted if anything at all is marked
   */
  brings(args: object, asked: string, isSearch: boolean): Content[] {
    const untrusted = this.#untrusted(args, asked, isSearch);
    return [
      { holds: "private", source: `${this.#tool} ${asked}` },
      ...(untrusted === undefined ? [] : [{ holds: "untrusted" as const, source: untrusted }]),
    ];
  }

  #untrusted(args: object, asked: string, isSearch: boolean): string | undefined {
    const met = this.#met.get(args);
    if (met === null || !this.#root.hasMarks) return undefined;
    if (met !== undefined) return pathInRoot(this.#root, met);
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
