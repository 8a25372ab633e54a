import type { LogEvent } from "@cogency/protocol";
import type { Said } from "../said.ts";
import { joinedWords } from "./history.ts";

/**
 * The events of a conversation that begins with what a client says came before. The model reads them as a conversation. They are no proof of
 * anything: the log has no origin that the agent has signed, so it counts as holding untrusted and private content, and a record says why.
 * Calls have ids of their own, and no question is open.
 *
 * @param said checked by `checkRounds`
 * @param timestamp Unix time in seconds
 */
export function seedEvents(said: readonly Said[], timestamp: number): LogEvent[] {
  const held: LogEvent = { type: "record", kind: "content", data: { holds: "untrusted", source }, timestamp };
  const ended: LogEvent = { type: "record", kind: "run", data: { status: "completed" }, timestamp };
  return [held, ...stretchesOf(said).flatMap((stretch, index) => eventsOf(stretch, index, timestamp)), ended];
}

const source = "a conversation as a client told it";

type Stretch = readonly Said[];

/** Cuts a history where the speaker changes: words, replies, and calls with their results. */
function stretchesOf(said: readonly Said[]): Stretch[] {
  const stretches: Said[][] = [];
  for (const one of said) {
    const last = stretches.at(-1);
    if (last?.[0] && kindOf(last[0]) === kindOf(one) && !(isSettled(last) && one.type === "call")) last.push(one);
    else stretches.push([one]);
  }
  return stretches;
}

function kindOf({ type }: Said): "words" | "reply" | "calls" | "other" {
  if (type === "words" || type === "instructions") return "words";
  if (type === "call" || type === "output") return "calls";
  return type === "reply" ? "reply" : "other";
}

/** Whether every call of the stretch has its result: one after that is of another batch. */
function isSettled(stretch: Stretch): boolean {
  return (
    stretch.filter(({ type }) => type === "call").length === stretch.filter(({ type }) => type === "output").length
  );
}

function eventsOf(stretch: Stretch, index: number, timestamp: number): LogEvent[] {
  const words = joinedWords(stretch);
  if (words) {
    const { text: content, attachments } = words;
    return [{ type: "user", content, ...(attachments.length > 0 && { attachments }), timestamp }];
  }
  const replies = stretch.flatMap((one): LogEvent[] =>
    one.type === "reply" && one.text !== "" ? [{ type: "respond", content: one.text, timestamp }] : [],
  );
  return [...replies, ...batchOf(stretch, index, timestamp)];
}

function batchOf(stretch: Stretch, index: number, timestamp: number): LogEvent[] {
  const calls = stretch.filter((one) => one.type === "call");
  if (calls.length === 0) return [];
  const outputs = new Map(stretch.flatMap((one) => (one.type === "output" ? [[one.call, one.output]] : [])));
  const ids = calls.map((_, nth) => `told_${index}_${nth}`);
  const results = calls.map(({ id, name }) => ({ tool: name, status: "success", content: outputs.get(id) ?? "" }));
  return [
    ...calls.map(
      ({ name, args }, nth): LogEvent => ({
        type: "call",
        content: JSON.stringify({ name, args }),
        id: ids[nth] ?? "",
        timestamp,
      }),
    ),
    {
      type: "result",
      content: JSON.stringify(results),
      payload: { tools_executed: calls.length, success_count: calls.length, failure_count: 0 },
      ids,
      timestamp,
    },
  ];
}
