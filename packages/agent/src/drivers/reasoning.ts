import { type RespondEvent, type ThinkEvent, UnitWriter } from "@cogency/protocol";

/** Turns reasoning that a provider sends apart from text into think units, numbered beside the parser's own. */
export interface Reasoning {
  write(text: string): ThinkEvent[];
  /** The parser's piece of a unit, with a number that no reasoning unit has. Reasoning in between begins a new unit. */
  besideText(event: ThinkEvent | RespondEvent): (ThinkEvent | RespondEvent)[];
}

export function createReasoning(clock: () => number): Reasoning {
  /** Counts the stretches of text and of reasoning; each is a unit at least. */
  let unit = 0;
  let parserUnit = -1;
  let isReasoning = false;
  let thinking = new UnitWriter();
  let text = new UnitWriter();
  /** Half of a surrogate pair, until the other half comes. */
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
