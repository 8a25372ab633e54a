import { estimateOf } from "./estimate.ts";
import type { NextRequest, RoomMade } from "./history.ts";
import { outlineOf, unreadFrom } from "./outline.ts";

/** Says what is too large in a request that cannot be made to fit, and what can be done about it. */
export function overflow(window: number, next: NextRequest, isRefused: boolean): RoomMade {
  const { log, tokens, fixedTokens, maxOutputTokens } = next;
  const outline = outlineOf(log);
  const last = Math.ceil(estimateOf(log.slice(unreadFrom(outline))));
  const answer = maxOutputTokens === undefined ? "" : `, of which ${maxOutputTokens} are for the answer`;
  const refused = isRefused ? "The provider refused it, and nothing more can be left out. " : "";
  const parts = `about ${Math.round(tokens)} tokens: ${fixedTokens} of the system prompt and tools, ${last} of what the model has not read yet`;
  const isFixed = fixedTokens > last;
  const isMessage = outline.rounds.at(-1)?.kind === "user";
  const advice = isFixed ? adviceOf.fixed : isMessage ? adviceOf.message : adviceOf.results;
  return { overflow: `The next request has ${parts}. The window has ${window}${answer}. ${refused}${advice}` };
}

const adviceOf = {
  fixed: "The system prompt and the tools are too large: offer fewer tools, or use a model with a larger window.",
  message:
    "The last message is too large. Say it in parts, or name a file that is read piece by piece, or use a model with a larger window: the next message goes on without the whole of this one.",
  results:
    "What the last calls gave is too large. Ask for less at once, or use a model with a larger window: the next message goes on.",
};
