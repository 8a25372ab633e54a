import type { RespondEvent, ThinkEvent } from "@cogency/protocol";
import { UnitWriter } from "@cogency/protocol/host";

/** Makes think units of the reasoning that a provider sends apart from text, and numbers all units anew. */
export interface Reasoning {
  write(text: string): ThinkEvent[];
  /**
   * Renumbers the parser's piece of a unit, in place. A unit that reasoning interrupts becomes two units. Returns undefined for
   * a piece of which nothing is left.
   */
  besideText(event: ThinkEvent | RespondEvent): ThinkEvent | RespondEvent | undefined;
}

export function createReasoning(clock: () => number): Reasoning {
  /** The number of the current unit. */
  let unit = 0;
  let parserUnit = -1;
  let isReasoning = false;
  let hasReasoned = false;
  let thinking = new UnitWriter();
  let text = new UnitWriter();
  /** The first half of a surrogate pair whose second half has not come. */
  let half = "";

  return {
    write(piece) {
      if (!isReasoning) {
        unit++;
        thinking = new UnitWriter();
      }
      isReasoning = hasReasoned = true;
      const whole = half + piece;
      half = highSurrogate.test(whole) ? whole.slice(-1) : "";
      const content = thinking.write(half === "" ? whole : whole.slice(0, -1));
      return content === "" ? [] : [{ type: "think", content, timestamp: clock(), unit }];
    },
    besideText(event) {
      if (isReasoning || event.unit !== parserUnit) {
        unit++;
        text = new UnitWriter();
      }
      isReasoning = false;
      parserUnit = event.unit ?? 0;
      event.unit = unit;
      // Until there is reasoning, the parser's units are whole, and have no space at their ends.
      if (hasReasoned) event.content = text.write(event.content);
      return event.content === "" ? undefined : event;
    },
  };
}

const highSurrogate = /[\ud800-\udbff]$/;
