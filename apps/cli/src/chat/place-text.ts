import { basename, resolve } from "node:path";
import { oneLine } from "../base/terminal/text.ts";
import { gitBranch } from "../place/git-branch.ts";

/** Milliseconds for which a branch is taken for unchanged: anybody may check out another one. */
const patience = 2000;

/** A folder and its branch, as the foot names them: `shop (main)`. */
export class PlaceText {
  readonly #folder: string;
  #text = "";
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(folder: string) {
    this.#folder = resolve(folder);
  }

  /** @param now by the clock of `performance.now()` */
  text(now: number): string {
    if (now - this.#readAt < patience) return this.#text;
    this.#readAt = now;
    const branch = gitBranch(this.#folder);
    const name = oneLine(basename(this.#folder), 30);
    this.#text = branch === undefined ? name : `${name} (${oneLine(branch, 30)})`;
    return this.#text;
  }
}
