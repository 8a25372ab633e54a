import type { LogEvent } from "@cogency/protocol";

/**
 * What is wrong with an event that a store would keep and an agent could not go on from: a store looks at types and texts
 * only. Undefined if nothing is.
 */
export function problemOf(event: LogEvent): string | undefined {
  const fields: Fields = { ...event };
  switch (event.type) {
    case "call":
      return fields.id === undefined || typeof fields.id === "string" ? undefined : "the `id` of the call is no string";
    case "record":
      return typeof fields.kind === "string" ? recordProblem(fields.kind, fields.data) : "the record has no `kind`";
    default:
      return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function recordProblem(kind: string, data: unknown): string | undefined {
  const texts = textsOf.get(kind);
  if (!texts) return undefined;
  const missing = withoutText(data, texts);
  if (missing !== undefined) return `the \`data\` of the record (${kind}) has no text \`${missing}\``;
  if (kind !== "finished") return undefined;
  const { result, stop } = data as Fields;
  if (!isResult(result)) return "the `data` of the record (finished) has no `result` of a tool";
  const absent = stop === undefined ? undefined : withoutText(stop, ["reason", "message"]);
  return absent === undefined ? undefined : `the \`stop\` of the record (finished) has no text \`${absent}\``;
}

/** What is read of a record when an agent goes on. */
const textsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ["rejected", ["code", "message"]],
  ["approval", ["id", "name", "hash", "status"]],
  ["started", ["id"]],
  ["finished", ["id"]],
]);

function withoutText(value: unknown, names: readonly string[]): string | undefined {
  const fields = isObject(value) ? value : {};
  return names.find((name) => typeof fields[name] !== "string");
}

function isResult(value: unknown): boolean {
  if (!isObject(value) || typeof value.tool !== "string" || value.content === undefined) return false;
  return value.status === "success" || (value.status === "failure" && typeof value.content === "string");
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
