import type { LogEvent } from "@cogency/protocol";
import { type Journal, wholeResult } from "@cogency/tools/host";
import { contentRecord } from "../log/held-content.ts";
import type { RunContext } from "../run-context.ts";

/**
 * Writes the journal of a batch into the log, as records `question`, `approval`, `answer`, `started`, `finished` and `content` (protocol.md §3).
 *
 * @param ends gets, by the id of each call that has ended, when that is stored
 */
export function journal(
  { log, timeline, unknown, settings: { clock } }: Pick<RunContext, "log" | "timeline" | "unknown" | "settings">,
  ends: Map<string, Promise<void>>,
): Journal {
  /** Takes the message that holds an answer. */
  async function take(kind: string, remote: { message: string; by?: string }, answer: LogEvent): Promise<void> {
    const { message: id, by: from } = remote;
    const message = { id, kind, ...(from !== undefined && { from }) };
    await log.append([{ type: "record", kind: "message", data: message, timestamp: answer.timestamp }, answer], [id]);
    timeline.tell(() => ({ type: "message_received", ...message }));
  }

  return {
    question: (data) => log.append([{ type: "record", kind: "question", data: { ...data }, timestamp: clock() }]),
    async approval(data, remote) {
      const timestamp = clock();
      const answer: LogEvent = { type: "record", kind: "approval", data: { ...data }, timestamp };
      if (!remote) return log.append([answer]);
      await take(data.status === "approved" ? "approve" : "deny", remote, answer);
    },
    answer(data, remote) {
      const answer: LogEvent = { type: "record", kind: "answer", data: { ...data }, timestamp: clock() };
      return remote ? take("answer", remote, answer) : log.append([answer]);
    },
    started({ id, name, args }, requested, brings, allowed) {
      const ran = requested && { call: JSON.stringify({ name, args }) };
      const data = { id, ...ran, ...(brings.length > 0 && { brings }), ...(allowed && { allowed }) };
      const storing = log.append([{ type: "record", kind: "started", data, timestamp: clock() }]);
      storing.then(() => unknown.set(id, { id, name, args }), ignore);
      return storing;
    },
    async notDone({ id }) {
      await log.append([{ type: "record", kind: "not_done", data: { id }, timestamp: clock() }]);
      unknown.delete(id);
    },
    finished(execution) {
      const { id, stop, brings = [] } = execution;
      const timestamp = clock();
      const data = { id, result: wholeResult(execution), ...(stop && { stop: { ...stop } }) };
      // In one append: no process finds the result without the content that it brought. Not awaited: nothing is stored after it
      // if it fails, and the result of the batch, or the next call, is stored with it.
      const storing = log.appendSoon([
        { type: "record", kind: "finished", data, timestamp },
        ...brings.map((content) => contentRecord(content, timestamp, id)),
      ]);
      const { name, args } = execution.call;
      storing.then(
        () => execution.settled && unknown.delete(id),
        () => unknown.set(id, { id, name, args }),
      );
      ends.set(id, storing);
    },
  };
}

function ignore(): void {}
