import type { LogEvent } from "../events.ts";

/** An event of a log with its number, as stores give it. Events of a log stand in the order of their numbers. */
export type NumberedEvent = LogEvent & { readonly seq: number };

/** Fields of a value from a log, which may hold anything. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** A text of a log; undefined for another value. */
export function textOr(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
