import type { Usage } from "@cogency/protocol";
import type { ModelEvent } from "../../provider.ts";

/**
 * Yields the events that end an answer. If the answer is aborted meanwhile, yields instead of the rest its usage, marked
 * `estimated`, and `finish` with reason `aborted`. Calls `isAborted` before each event.
 *
 * @param spent returns the usage of an aborted answer; undefined if it cannot have used anything
 */
export function* endOfAnswer(
  events: Iterable<ModelEvent>,
  isAborted: () => boolean,
  spent: () => Usage | undefined,
): Generator<ModelEvent> {
  let hasYieldedUsage = false;
  if (!isAborted()) {
    for (const event of events) {
      yield event;
      if (event.type === "finish") return;
      hasYieldedUsage ||= event.type === "usage";
      if (isAborted()) break;
    }
  }
  const usage = hasYieldedUsage ? undefined : spent();
  if (usage) yield { type: "usage", usage: { ...usage, estimated: true } };
  yield { type: "finish", reason: "aborted" };
}
