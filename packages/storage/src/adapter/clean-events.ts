import { isPersisted, type LogEvent } from "@cogency/protocol";
import { InvalidEventError } from "../errors.ts";
import { copyJson } from "./copy-json.ts";

/**
 * Checks a batch and returns it as a store keeps it: deep copies that hold nothing but JSON, with well-formed strings
 * (protocol.md P13), without `undefined` properties and without the `seq` that an event loaded from a store carries.
 * An adapter calls it before its first `await`: what a writer does to its objects after it called `append` must not
 * reach the log.
 *
 * @throws InvalidEventError for the first event whose type is not persisted (protocol.md §3), whose `timestamp` is not
 * a finite number, whose `content` is not a string, or which holds anything that JSON would drop or change
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

/** Callers without a type checker pass anything. */
function typeOf(event: unknown): string | undefined {
  const isTyped = typeof event === "object" && event !== null && "type" in event && typeof event.type === "string";
  return isTyped ? (event.type as string) : undefined;
}
