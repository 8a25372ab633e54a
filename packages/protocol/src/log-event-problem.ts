import { areAttachments, isTexts } from "./attachment.ts";
import { isPersisted } from "./events.ts";
import { isWholeResult } from "./results.ts";

/**
 * Checks a value from outside, such as a line of an exported log, before it is stored: everything that is read when a
 * conversation goes on. A record of an unknown kind is accepted, because a later version may have written it.
 *
 * @returns what keeps the value from being a `LogEvent`, as the end of a sentence: "the record has no `kind`"; undefined
 * if it is one
 */
export function logEventProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "the event is not an object";
  const { type, timestamp, content, id, ids, kind, data, attachments } = value;
  if (typeof type !== "string" || !isPersisted(type)) return "the `type` is not one that a log keeps";
  if (!Number.isFinite(timestamp)) return "the `timestamp` is not a finite number of seconds";
  if (type === "record") return typeof kind === "string" ? recordProblem(kind, data) : "the record has no `kind`";
  if (type !== "cancelled" && typeof content !== "string") return "the `content` is not a string";
  if (type === "user" && !areAttachments(attachments)) return "the `attachments` are not an array of attachments";
  if (type === "call" && id !== undefined && typeof id !== "string") return "the `id` of the call is not a string";
  if (type === "result" && ids !== undefined && !isTexts(ids))
    return "the `ids` of the result are not an array of strings";
  return undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function recordProblem(kind: string, data: unknown): string | undefined {
  const missing = missingText(data, requiredTexts.get(kind)?.split(" ") ?? []);
  if (missing !== undefined) return `the \`data\` of the record (${kind}) has no text \`${missing}\``;
  const fields = data as Fields;
  const isFinished = kind === "finished";
  if (isFinished && !isWholeResult(fields.result))
    return "the `data` of the record (finished) has no `result` of a tool";
  if (!isFinished && kind !== "run") return undefined;
  for (const [part, name] of [
    ["stop", "reason"],
    ["error", "code"],
  ] as const) {
    const absent = fields[part] === undefined ? undefined : missingText(fields[part], [name, "message"]);
    if (absent !== undefined) return `the \`${part}\` of the record (${kind}) has no text \`${absent}\``;
  }
  return undefined;
}

/** The fields that are read of a record when a conversation goes on. */
const requiredTexts: ReadonlyMap<string, string> = new Map([
  ["rejected", "code message"],
  ["notice", "code message"],
  ["approval", "id name hash status"],
  ["question", "id call name hash asks"],
  ["answer", "question"],
  ["message", "id kind"],
  ["started", "id"],
  ["not_done", "id"],
  ["finished", "id"],
  ["run", "status"],
  ["trace", "traceparent"],
  ["child", "call agent conversation"],
  ["parent", "conversation call root"],
]);

function missingText(value: unknown, names: readonly string[]): string | undefined {
  const fields = isObject(value) ? value : {};
  return names.find((name) => typeof fields[name] !== "string");
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
