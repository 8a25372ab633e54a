import type { Choice } from "../conversation/conversation-view.ts";
import type { PlainOutput } from "./plain-output.ts";

/** Lists what can be chosen with numbers, and takes the number from the next line. */
export class PlainChoices {
  readonly #output: PlainOutput;
  #open: { readonly count: number; settle(chosen: number | undefined): void } | undefined;

  constructor(output: PlainOutput) {
    this.#output = output;
  }

  put({ title, rows }: Choice): Promise<number | undefined> {
    this.#open?.settle(undefined);
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    this.#open = { count: rows.length, settle: resolve };
    const lines = rows.map((row, index) => `${index + 1} = ${row.replace(/[\r\n\t]/g, " ")}`);
    this.#output.say("question", [title, ...lines, "Type a number, or an empty line for none."].join("\n"));
    return promise;
  }

  /** Takes a line as the answer. Returns whether something can be chosen; the line is no prompt then. */
  line(typed: string): boolean {
    const open = this.#open;
    if (!open) return false;
    const text = typed.trim();
    const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
    if (text === "" || (number > 0 && number <= open.count)) {
      this.#open = undefined;
      open.settle(text === "" ? undefined : number - 1);
    } else this.#output.say("question", `Not that: type a number from 1 to ${open.count}, or an empty line for none.`);
    return true;
  }
}
