import { type Journal, toToolResult } from "@cogency/tools";
import type { ConversationLog } from "./conversation-log.ts";

/** Makes each call durable as it happens (protocol.md §3, `started` and `finished`). */
export function journal(log: ConversationLog, clock: () => number): Journal {
  return {
    started: ({ id }) => log.append([{ type: "record", kind: "started", data: { id }, timestamp: clock() }]),
    finished: (execution) => {
      const data = { id: execution.id, result: toToolResult(execution) };
      return log.append([{ type: "record", kind: "finished", data, timestamp: clock() }]);
    },
  };
}
