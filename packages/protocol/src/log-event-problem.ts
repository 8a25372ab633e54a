import { isPersisted } from "./events.ts";
import { isResult } from "./results.ts";

/**
 * Checks a value from outside, such as a line of an exported log, before it is stored: everything that is read when a
 * conversation goes on. A record of an unknown kind is accepted, because a later version may have written it.
 *
 * @returns what keeps the value from being a `LogEvent`, as the end of a sentence: "the record has no `kind`"; undefined
 * if it is one
 */
export function logEventProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "the event is not an object";
  const { type, timestamp, content, id, ids, kind, data } = value;
  if (typeof type !== "string" || !isPersisted(type)) return "the `type` is not one that a log keeps";
  if (!Number.isFinite(timestamp)) return "the `timestamp` is not a finite number of seconds";
  if (type === "record") return typeof kind === "string" ? recordProblem(kind, data) : "the record has no `kind`";
  if (type !== "cancelled" && typeof content !== "string") return "the `content` is not a string";
  if (type === "call" && id !== undefined && typeof id !== "string") return "the `id` of the call is not a string";
  if (type === "result" && ids !== undefined && !isTexts(ids))
    return "the `ids` of the result are not an array of strings";
  return undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function recordProblem(kind: string, data: unknown): string | undefined {
  const missing = missingText(data, requiredTexts.get(kind) ?? []);
  if (missing !== undefined) return `the \`data\` of the record (${kind}) has no text \`${missing}\``;
  const fields = data as Fields;
  if (kind === "finished" && !isResult(fields.result)) {
    return "the `data` of the record (finished) has no `result` of a tool";
  }
  for (const [part, names] of optionalParts.get(kind) ?? []) {
    const absent = fields[part] === undefined ? undefined : missingText(fields[part], names);
    if (absent !== undefined) return `the \`${part}\` of the record (${kind}) has no text \`${absent}\``;
  }
  return undefined;
}

/** The fields that are read of a record when a conversation goes on. */
const requiredTexts: ReadonlyMap<string, readonly string[]> = new Map([
  ["rejected", ["code", "message"]],
  ["approval", ["id", "name", "hash", "status"]],
  ["question", ["id", "call", "name", "hash", "asks"]],
  ["answer", ["question"]],
  ["message", ["id", "kind"]],
  ["started", ["id"]],
  ["finished", ["id"]],
  ["run", ["status"]],
]);

/** The parts of a record that may be absent, with the texts that each holds. */
const optionalParts: ReadonlyMap<string, readonly (readonly [string, readonly string[]])[]> = new Map([
  ["finished", [["stop", ["reason", "message"]]]],
  [
    "run",
    [
      ["stop", ["reason", "message"]],
      ["error", ["code", "message"]],
    ],
  ],
]);

function missingText(value: unknown, names: readonly string[]): string | undefined {
  const fields = isObject(value) ? value : {};
  return names.find((name) => typeof fields[name] !== "string");
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
