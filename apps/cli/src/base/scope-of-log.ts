import type { LogEvent } from "@cogency/protocol";

/** The folder that a conversation belongs to, from its log; undefined if the log does not say. */
export function scopeOfLog(log: readonly LogEvent[]): string | undefined {
  const origin = log.find((event) => event.type === "record" && event.kind === "origin");
  const scope = origin?.type === "record" && origin.kind === "origin" ? origin.data?.scope : undefined;
  return typeof scope === "string" ? scope : undefined;
}
