import { createHash } from "node:crypto";
import type { LogEvent } from "@cogency/protocol";

/** What a frozen database holds of the conversation. */
export interface FrozenTalk {
  events: number;
  /** Of all events, as the version that wrote them read them. */
  digest: string;
  /** Charges that had happened. */
  charges: number;
}

export function digestOf(log: readonly LogEvent[]): string {
  return createHash("sha256").update(JSON.stringify(log)).digest("hex");
}
