import type { LogEvent } from "@cogency/protocol";
import type { RunContext } from "../run-context.ts";

/**
 * What hooks, tools and the search for echoes see of the run of an agent that a call has started: the conversation of that call, then
 * its own. So what holds for the one that gave the work holds for the one that does it: a skill that narrows, a mode, text from
 * strangers. Its prompt is a model's, so it does not count as the person's.
 */
export function eventsAbove({ parent }: Pick<RunContext, "parent">, own: readonly LogEvent[]): readonly LogEvent[] {
  if (!parent) return own;
  const prompt = own.findIndex(({ type }) => type === "user");
  const relabelled = own.map((event, index) =>
    index === prompt ? ({ ...event, origin: "notice" } as LogEvent) : event,
  );
  return [...parent.events, ...relabelled];
}
