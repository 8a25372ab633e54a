import type { LogEvent } from "@cogency/protocol";

/** As `estimateUsage` counts. */
export const charactersPerToken = 4;
const tokensPerAttachment = 1500;

/**
 * Estimates the tokens of events in a request: one for four UTF-16 code units, and 1,500 for an attachment, as `estimateUsage` does.
 */
export function estimateOf(events: readonly LogEvent[]): number {
  return events.reduce((sum, event) => {
    const attached = attachedTokens(event);
    return event.type === "record" || event.type === "cancelled"
      ? sum + attached
      : sum + textTokens(event.content) + attached;
  }, 0);
}

export function textTokens(text: string): number {
  return text.length / charactersPerToken;
}

/** Of the attachments of a message or a result. A log from elsewhere may hold anything. */
export function attachedTokens(event: LogEvent): number {
  if (event.type === "record") return event.kind === "finished" ? tokensOf(event.data?.result?.attachments) : 0;
  return event.type === "user" ? tokensOf(event.attachments) : 0;
}

function tokensOf(attachments: unknown): number {
  return Array.isArray(attachments) ? tokensPerAttachment * attachments.length : 0;
}
