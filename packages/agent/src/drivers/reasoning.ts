import { type RespondEvent, type ThinkEvent, UnitWriter } from "@cogency/protocol";

/** Makes think units of the reasoning that a provider sends apart from text, and numbers all units anew. */
export interface Reasoning {
  write(text: string): ThinkEvent[];
  /** Renumbers the parser's piece of a unit. A unit that reasoning interrupts becomes two units. */
  besideText(event: ThinkEvent | RespondEvent): (ThinkEvent | RespondEvent)[];
}

export function createReasoning(clock: () => number): Reasoning {
  /** The number of the current unit. */
  let unit = 0;
  let parserUnit = -1;
  let isReasoning = false;
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
      isReasoning = true;
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
      const content = text.write(event.content);
      return content === "" ? [] : [{ ...event, content, unit }];
    },
  };
}

const highSurrogate = /[\ud800-\udbff]$/;
