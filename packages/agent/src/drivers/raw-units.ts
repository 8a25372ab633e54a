import type { RespondEvent, ThinkEvent } from "@cogency/protocol";
import { UnitWriter } from "@cogency/protocol/host";

/** Makes units of text and thinking that holds no markup, piece by piece. */
export class RawUnits {
  readonly #clock: () => number;
  #writer = new UnitWriter();
  #type: "think" | "respond" | undefined;
  /** The number of the open unit, or of the last one. */
  #unit = 0;
  /** The first half of a surrogate pair whose second half has not come. */
  #half = "";

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Reads a piece. A unit ends where the other kind begins. */
  write(type: "think" | "respond", piece: string): (ThinkEvent | RespondEvent)[] {
    if (type !== this.#type) this.close();
    this.#type = type;
    const whole = this.#half + piece;
    this.#half = highSurrogate.test(whole) ? whole.slice(-1) : "";
    const content = this.#writer.write(this.#half === "" ? whole : whole.slice(0, -1));
    return content === "" ? [] : [{ type, content, timestamp: this.#clock(), unit: this.#unit }];
  }

  /** Ends the open unit. */
  close(): void {
    if (this.#writer.isOpen) this.#unit++;
    this.#writer = new UnitWriter();
    this.#half = "";
    this.#type = undefined;
  }
}

const highSurrogate = /[\ud800-\udbff]$/;
