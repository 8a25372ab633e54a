import { type Journal, wholeResult } from "@cogency/tools";
import type { ConversationLog } from "./conversation-log.ts";

/** Makes each call durable as it happens (protocol.md §3, `approval`, `started` and `finished`). */
export function journal(log: ConversationLog, clock: () => number): Journal {
  return {
    approval: (data) => log.append([{ type: "record", kind: "approval", data: { ...data }, timestamp: clock() }]),
    started({ id, name, args }, requested) {
      const data = requested ? { id, call: JSON.stringify({ name, args }) } : { id };
      return log.append([{ type: "record", kind: "started", data, timestamp: clock() }]);
    },
    finished(execution) {
      const { id, stop } = execution;
      const data = { id, result: wholeResult(execution), ...(stop && { stop: { ...stop } }) };
      return log.append([{ type: "record", kind: "finished", data, timestamp: clock() }]);
    },
  };
}
