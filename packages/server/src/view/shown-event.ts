import type { Attachment, Json, UserEvent } from "@cogency/protocol";
import { noticeSources } from "@cogency/protocol/host";
import type { StoredEvent } from "@cogency/storage";
import { cut, cutAttachments } from "./cut.ts";
import { type Fields, flag, json, listOf, number, object, pick, type Rule, text } from "./pick.ts";

/**
 * What a person may see of a stored event: the same event with fewer fields, under the same number. Undefined for one that stays at home:
 * words that the runtime wrote to the model, requests, the provider's own blocks, where content came from, and every kind of record that
 * is not known here. Never throws for values that JSON can hold.
 */
export function shownEvent(event: StoredEvent, seesThinking: boolean): StoredEvent | undefined {
  const { type, seq, timestamp } = event;
  if (type === "record") {
    const fields = records.get(event.kind);
    return fields && shown({ type, kind: event.kind, data: pick(event.data, fields), timestamp, seq });
  }
  if (type === "think" && !seesThinking) return undefined;
  if (type === "user" && !isShown(event)) return undefined;
  const fields = events.get(type);
  return fields && shown({ type, ...pick(event, fields), timestamp, seq });
}

/** Words of persons, and what something outside says. Other words are the runtime's, for the model alone. */
function isShown(event: UserEvent): boolean {
  const { origin } = event;
  return origin === undefined || origin === "untrusted" || noticeSources(event).length > 0;
}

/** A log from elsewhere may hold anything: who reads an event of it reads each field as one that may be missing. */
function shown(event: object): StoredEvent {
  return event as StoredEvent;
}

const texts = listOf(text);

const attachment = object({
  kind: text,
  mediaType: text,
  name: text,
  data: (value) => (typeof value === "string" ? value : object({ url: text })(value)),
});

const attachments: Rule = listOf((value) => {
  const picked = attachment(value) as Partial<Attachment> | undefined;
  return picked?.data === undefined ? undefined : picked;
});

const cutResult = {
  tool: text,
  status: text,
  content: (value) => cut(value as Json),
} satisfies Fields;

const events: ReadonlyMap<string, Fields> = new Map<StoredEvent["type"], Fields>([
  [
    "user",
    {
      content: text,
      origin: text,
      sources: listOf(object({ source: text, count: number, holds: text })),
      attachments,
    },
  ],
  ["think", { content: text }],
  ["respond", { content: text }],
  ["call", { content: text, id: text }],
  [
    "result",
    {
      content: cutResults,
      payload: object({ tools_executed: number, success_count: number, failure_count: number }),
      ids: texts,
    },
  ],
  ["cancelled", {}],
]);

/** The results of a batch, each cut by itself; none where the text cannot be read. */
function cutResults(content: unknown): string {
  try {
    const results: unknown = JSON.parse(String(content));
    return JSON.stringify(Array.isArray(results) ? results.map((result) => pick(result, cutResult)) : []);
  } catch {
    return "[]";
  }
}

const stop = object({ reason: text, message: text });

/** What is shown of each kind of record (docs/views.md). */
const records: ReadonlyMap<string, Fields> = new Map<string, Fields>([
  ["rejected", { code: text, message: text }],
  [
    "question",
    {
      id: text,
      call: text,
      name: text,
      args: json,
      asks: text,
      touches: texts,
      concerns: listOf(object({ kind: text, why: text })),
      message: text,
      schema: json,
      client: flag,
      agents: texts,
    },
  ],
  ["approval", { id: text, name: text, status: text, question: text, reason: text }],
  ["answer", { question: text, content: json, from: text }],
  ["message", { id: text, kind: text, from: text, refused: text, more: number }],
  ["started", { id: text, call: text }],
  ["not_done", { id: text }],
  [
    "finished",
    {
      id: text,
      result: object({
        ...cutResult,
        attachments: (value) => cutAttachments((attachments(value) ?? []) as Attachment[]),
      }),
    },
  ],
  ["notice", { code: text, message: text, retryAt: number, parked: flag }],
  [
    "child",
    {
      call: text,
      agent: text,
      conversation: text,
      background: flag,
      used: object({ steps: number, tokens: number, toolCalls: number }),
    },
  ],
  ["parent", { conversation: text, call: text, root: text, agents: texts }],
  ["client_tools", { tools: listOf(object({ name: text })) }],
  ["title", { text }],
  ["point", { name: text, at: number }],
  [
    "usage",
    {
      input: number,
      output: number,
      cacheRead: number,
      cacheWrite: number,
      reasoning: number,
      estimated: flag,
      duration: number,
    },
  ],
  ["run", { status: text, stop, error: object({ code: text, message: text }) }],
]);
