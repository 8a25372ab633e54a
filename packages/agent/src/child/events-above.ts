import type { LogEvent } from "@cogency/protocol";
import type { ParentLink, RunContext } from "../run-context.ts";

/** The list of each run, which grows with its log: whoever has read it once reads only what is new. */
const lists = new WeakMap<ParentLink, LogEvent[]>();

/**
 * What hooks, tools and the search for echoes see of the run of an agent that a call has started: the conversation of that call, then
 * its own. So what holds for the one that gave the work holds for the one that does it: a skill that narrows, a mode, text from
 * strangers. Its prompt is a model's, so it does not count as the person's.
 *
 * @param own its log; a later call has a longer one
 */
export function eventsAbove({ parent }: Pick<RunContext, "parent">, own: readonly LogEvent[]): readonly LogEvent[] {
  if (!parent) return own;
  const list = lists.get(parent) ?? [...parent.events];
  lists.set(parent, list);
  const prompt = own.findIndex(({ type }) => type === "user");
  for (let index = list.length - parent.events.length; index < own.length; index++) {
    const event = own[index] as LogEvent;
    list.push(index === prompt ? ({ ...event, origin: "notice" } as LogEvent) : event);
  }
  return list;
}
