import { type Journal, wholeResult } from "@cogency/tools";
import type { ConversationLog } from "./conversation-log.ts";
import { contentRecord } from "./held-content.ts";

/** Makes each call durable as it happens (protocol.md §3, `approval`, `started`, `finished` and `content`). */
export function journal(log: ConversationLog, clock: () => number): Journal {
  return {
    approval: (data) => log.append([{ type: "record", kind: "approval", data: { ...data }, timestamp: clock() }]),
    started({ id, name, args }, requested, brings) {
      const ran = requested && { call: JSON.stringify({ name, args }) };
      const data = { id, ...ran, ...(brings.length > 0 && { brings }) };
      return log.append([{ type: "record", kind: "started", data, timestamp: clock() }]);
    },
    finished(execution) {
      const { id, stop, brings = [] } = execution;
      const timestamp = clock();
      const data = { id, result: wholeResult(execution), ...(stop && { stop: { ...stop } }) };
      // With the result, in one append: no process finds the one without the other.
      return log.append([
        { type: "record", kind: "finished", data, timestamp },
        ...brings.map((content) => contentRecord(content, timestamp, id)),
      ]);
    },
  };
}
