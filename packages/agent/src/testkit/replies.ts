import type { DriverReply } from "./harness.ts";
import { look, stumble, walk } from "./tools.ts";

/** What models of the kit write. None has text that a driver may take for a call. */
export const answer: DriverReply = { text: "There is a door, and behind it a garden.", isOver: true };

/** An answer without a mark of its end. */
export const plainAnswer: DriverReply = { text: "There is a door, and behind it a garden." };

export const oneCall: DriverReply = { calls: [look("the hall")] };

export const anotherCall: DriverReply = { calls: [look("the cellar")] };

/** Two calls of one tool, one that fails, one with a number. */
export const fourCalls: DriverReply = { calls: [look("the hall"), stumble, look("the cellar"), walk] };

/** What each call of {@link fourCalls} is by itself. */
export const singleCalls: readonly DriverReply[] = [oneCall, { calls: [stumble] }, anotherCall, { calls: [walk] }];

export const textAndCall: DriverReply = { text: "Let me look around.", calls: [look("the hall")] };

/** A value that must be escaped in most ways to write a call. */
const awkwardPlace = 'the "door" \\ of\n\tJosé € 𝄞 <b>{x: [1]}</b> & </execute>';

export const awkwardCall: DriverReply = { calls: [look(awkwardPlace)] };

export const thoughtful: DriverReply = {
  thinking: "The hall comes first, I think.",
  text: "The hall comes first.",
};
