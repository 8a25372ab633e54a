import type { Usage } from "@cogency/protocol";
import type { ModelEvent } from "../../provider.ts";

/**
 * The events that end an answer; or if it is aborted meanwhile, instead of the rest of them what it has taken, marked
 * `estimated`, and `finish` with reason `aborted`. `isAborted` is asked before each event.
 *
 * @param spent what the answer has taken, for an answer that is aborted; undefined if it cannot have taken anything
 */
export function* endOfAnswer(
  events: Iterable<ModelEvent>,
  isAborted: () => boolean,
  spent: () => Usage | undefined,
): Generator<ModelEvent> {
  let hasToldUsage = false;
  if (!isAborted()) {
    for (const event of events) {
      yield event;
      if (event.type === "finish") return;
      hasToldUsage ||= event.type === "usage";
      if (isAborted()) break;
    }
  }
  const usage = hasToldUsage ? undefined : spent();
  if (usage) yield { type: "usage", usage: { ...usage, estimated: true } };
  yield { type: "finish", reason: "aborted" };
}
