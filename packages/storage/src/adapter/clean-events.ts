import type { LogEvent } from "@cogency/protocol";
import { isPersisted } from "@cogency/protocol/host";
import { InvalidEventError } from "../errors.ts";
import { copyJson } from "./copy-json.ts";

/**
 * Checks a batch and returns deep copies of its events as JSON: with well-formed strings (protocol.md P13), without
 * `undefined` properties and without the `seq` of an event that was loaded from a store. An adapter must call it before
 * its first `await`: otherwise the log would contain changes that the writer makes after it called `append`.
 *
 * @throws InvalidEventError for the first event whose type is not persisted (protocol.md §3), whose `timestamp` is not
 * a finite number, whose `content` is not a string, or that contains a value which JSON would drop or change
 */
export function cleanEvents(events: readonly LogEvent[]): LogEvent[] {
  return Array.from(events, cleanEvent);
}

function cleanEvent(event: LogEvent, index: number): LogEvent {
  const type = typeOf(event);
  const refuse = (problem: string): never => {
    throw new InvalidEventError(index, type, problem);
  };
  if (type === undefined || !isPersisted(type)) {
    refuse("a store keeps user, think, call, result, respond, cancelled and record events only (see isPersisted).");
  }
  if (!Number.isFinite(event.timestamp)) refuse("its timestamp is not a finite number of seconds.");
  if (event.type !== "cancelled" && event.type !== "record" && typeof event.content !== "string") {
    refuse("its content is not a string.");
  }
  return copyJson("seq" in event ? { ...event, seq: undefined } : event, refuse) as unknown as LogEvent;
}

/** Callers without a type checker may pass any value. */
function typeOf(event: unknown): string | undefined {
  const isTyped = typeof event === "object" && event !== null && "type" in event && typeof event.type === "string";
  return isTyped ? (event.type as string) : undefined;
}
