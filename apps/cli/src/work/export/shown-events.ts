import type { PageEvent } from "@cogency/page";
import type { Json, LogEvent } from "@cogency/protocol";
import { redactEvent, redactSecrets, type StoredEvent } from "@cogency/storage";
import { redacted } from "../../base/errors/redacted.ts";
import { withoutProof } from "./without-proof.ts";

/**
 * The events of a log as a page may hold them: without signatures and, unless `raw`, without what looks like a secret. The blocks of
 * a provider, which a store leaves as they were signed, are redacted, too: no page sends them back.
 */
export function shownEvents(events: readonly StoredEvent[], raw: boolean): PageEvent[] {
  return events.map(({ seq, ...event }) => {
    const unsigned = withoutProof(event as LogEvent);
    return { ...(raw ? unsigned : withoutSecrets(unsigned)), seq };
  });
}

function withoutSecrets(event: LogEvent): LogEvent {
  const { type } = event;
  if (type !== "record" || event.kind !== "native") return redactEvent(event, redact);
  const data = JSON.parse(
    JSON.stringify(event.data ?? null, (name, value: Json) =>
      typeof value === "string" ? redact(value, name) : value,
    ),
  );
  return { ...event, data };
}

function redact(text: string, name?: string): string {
  return redacted(redactSecrets(text, name));
}
