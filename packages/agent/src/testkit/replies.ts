import type { DriverReply } from "./harness.ts";
import { look, stumble, walk } from "./tools.ts";

/** What models of the kit write. None has text that a driver may take for a call. */
export const answer: DriverReply = { text: "There is a door, and behind it a garden.", isOver: true };

/** An answer without a mark of its end. */
export const plainAnswer: DriverReply = { text: "There is a door, and behind it a garden." };

export const oneCall: DriverReply = { text: "Let me look around.", calls: [look("the hall")] };

/** Two calls of one tool, one that fails, one with a number. */
export const fourCalls: DriverReply = {
  text: "Let me look around.",
  calls: [look("the hall"), stumble, look("the cellar"), walk],
};

/** A value that must be escaped in most ways to write a call. */
const awkwardPlace = 'the "door" \\ of\n\tJosé € 𝄞 <b>{x: [1]}</b> & </execute>';

export const awkwardCall: DriverReply = { text: "Let me look there.", calls: [look(awkwardPlace)] };

export const thoughtful: DriverReply = {
  thinking: "The hall comes first, I think.",
  text: "The hall comes first.",
};
