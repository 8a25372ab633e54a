import type { Piece } from "@cogency/protocol/parts";
import type { OpenArgs, OpenText, Writing } from "./writing.ts";

interface Sent {
  /** The number of the unit. */
  readonly unit: number;
  /** How many of its characters were sent; -1 before the first piece. */
  upTo: number;
  hasName: boolean;
}

/** Gives the units of one run their numbers, and knows how much of each was sent. */
export class OpenUnits {
  readonly #sent = new WeakMap<OpenText | OpenArgs, Sent>();
  #last = 0;

  /**
   * Makes pieces of what is open and was not sent.
   *
   * @param isWhole repeats what was sent
   * @returns the pieces, and what to call once they have been sent
   */
  pieces(writing: Writing, place: { run: string; seq: number }, isWhole: boolean): { pieces: Piece[]; sent(): void } {
    const pieces: Piece[] = [];
    const changes: (() => void)[] = [];
    const add = (open: OpenText | OpenArgs, make: (unit: number, offset: number) => Piece) => {
      const known = this.#of(open);
      const isNamed = "id" in open && open.name !== undefined;
      const isNews = open.content.length > known.upTo || isNamed !== known.hasName;
      if (!isNews && !isWhole) return;
      pieces.push(make(known.unit, isWhole ? 0 : Math.max(0, known.upTo)));
      const upTo = open.content.length;
      changes.push(() => Object.assign(known, { upTo, hasName: isNamed }));
    };
    const { openText, openArgs } = writing;
    if (openText) {
      const type = openText.type === "think" ? "thinking" : "text";
      add(openText, (unit, offset) => ({ type, ...place, unit, offset, text: openText.content.slice(offset) }));
    }
    for (const args of openArgs) {
      const { id: call, name, content } = args;
      const named = name !== undefined && { name };
      add(args, (unit, offset) => ({
        type: "args",
        ...place,
        unit,
        offset,
        text: content.slice(offset),
        call,
        ...named,
      }));
    }
    const sent = () => {
      for (const change of changes) change();
    };
    return { pieces, sent };
  }

  #of(open: OpenText | OpenArgs): Sent {
    const known = this.#sent.get(open);
    if (known) return known;
    this.#last++;
    const sent: Sent = { unit: this.#last, upTo: -1, hasName: false };
    this.#sent.set(open, sent);
    return sent;
  }
}
