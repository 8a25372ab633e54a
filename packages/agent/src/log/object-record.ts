import type { JsonSchema, LogEvent, RecordEvent } from "@cogency/protocol";
import type { RunContext } from "../run-context.ts";

/** The record that the turn must end with an object; none for any other turn. Stored with the first words of the turn. */
export function objectRecords(
  { settings: { object } }: Pick<RunContext, "settings">,
  timestamp: number,
): RecordEvent[] {
  return object ? [{ type: "record", kind: "object", data: { schema: object.schema }, timestamp }] : [];
}

/**
 * The schema of the object that the last turn of a log must end with; undefined for any other turn. What a person says into the middle of
 * a turn begins no other one.
 */
export function schemaOfTurn(log: readonly LogEvent[]): JsonSchema | undefined {
  const at = log.findLastIndex((event) => event.type === "record" && event.kind === "object");
  const record = log[at];
  if (record?.type !== "record" || record.kind !== "object") return undefined;
  if (log.some((event, index) => index > at && isFirstWords(event, log[index - 1]))) return undefined;
  // A log from elsewhere may hold anything.
  const { schema } = (record.data ?? {}) as { schema?: unknown };
  const isObject = typeof schema === "object" && schema !== null && !Array.isArray(schema);
  return isObject ? (schema as JsonSchema) : undefined;
}

/** Whether the words begin a turn: a person's, and not taken from a message into the middle of one. */
function isFirstWords(event: LogEvent, before: LogEvent | undefined): boolean {
  if (event.type !== "user" || (event.origin !== undefined && event.origin !== "untrusted")) return false;
  return !(before?.type === "record" && before.kind === "message" && before.data?.kind === "steer");
}
