import { createHash } from "node:crypto";
import type { Key } from "@cogency/storage";
import type { WakeOptions } from "@cogency/worker";
import type { SendSettings } from "./boss.ts";

/** A wake as a job: its data, which people read, and the options of `send`. */
export interface WakeJob {
  data: { key: string; reason: string };
  sending: SendSettings;
}

/**
 * Wakes of one conversation that wait for the same time are one job. Those of another time are jobs of their own: one that waits for
 * tomorrow must not keep back one that comes now.
 */
export function jobOf({ conversation, user }: Key, { at, reason }: WakeOptions): WakeJob {
  // JSON within JSON: PostgreSQL's jsonb refuses some strings, such as U+0000.
  const key = JSON.stringify({ conversation, user });
  const singletonKey = createHash("sha256")
    .update(`${at ?? "now"} ${key}`)
    .digest("base64url");
  return {
    data: { key, reason: JSON.stringify(reason) },
    sending: at === undefined ? { singletonKey } : { singletonKey, startAfter: new Date(at) },
  };
}
