import type { LogEvent } from "@cogency/protocol";

/**
 * An event without the signature that a record may carry. With it, what is written elsewhere could pass for a log of this
 * installation, or approve calls. A store from elsewhere may hold anything.
 */
export function withoutProof<Event extends LogEvent>(event: Event): Event {
  if (event.type !== "record" || typeof event.data !== "object" || event.data === null || !("proof" in event.data))
    return event;
  const { proof: _, ...data } = event.data;
  return { ...event, data } as Event;
}
