import type { RespondEvent, ThinkEvent } from "@cogency/protocol";

/** Turns reasoning that a provider sends apart from text into think units, numbered beside the parser's own. */
export interface Reasoning {
  write(text: string): ThinkEvent[];
  /** The parser's piece of a unit, with a number that no reasoning unit has. */
  besideText(event: ThinkEvent | RespondEvent): ThinkEvent | RespondEvent;
}

export function createReasoning(): Reasoning {
  /** The parser's units get even numbers, reasoning the odd ones after them. */
  let textUnit = -1;
  let unitIsOpen = false;
  let held = "";

  return {
    write(text) {
      const all = held + text;
      const content = all.slice(unitIsOpen ? 0 : all.length - all.trimStart().length).replace(heldBack, "");
      held = all.slice(all.length - (heldBack.exec(all)?.[0].length ?? 0));
      if (content === "") return [];
      unitIsOpen = true;
      const unit = 2 * textUnit + 1;
      return [{ type: "think", content: content.toWellFormed(), timestamp: Date.now() / 1000, unit }];
    },
    besideText(event) {
      textUnit = event.unit ?? 0;
      unitIsOpen = false;
      held = "";
      return { ...event, unit: 2 * textUnit };
    },
  };
}

/** White space that may end the unit, or half of a surrogate pair. */
const heldBack = /(?:[ \t\r\n]+|[\ud800-\udbff])+$/;
