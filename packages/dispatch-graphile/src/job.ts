import { createHash } from "node:crypto";
import type { Key } from "@cogency/storage";
import type { WakeOptions } from "@cogency/worker";
import type { TaskSpec } from "graphile-worker";

/** A wake as a job: its payload, which people read, and the options of `addJob`. */
export interface WakeJob {
  payload: { key: string; reason: string };
  spec: TaskSpec;
}

/**
 * Wakes of one conversation that wait for the same time are one job. Those of another time are jobs of their own: one that waits for
 * tomorrow must not put off one that comes now. A job that a worker holds takes nothing in any more: the next wake is a new one.
 */
export function jobOf(task: string, { conversation, user }: Key, { at, reason }: WakeOptions): WakeJob {
  // JSON within JSON, since PostgreSQL refuses some strings, such as U+0000.
  const key = JSON.stringify({ conversation, user });
  // A job key names one job of a schema, whatever its task.
  const jobKey = createHash("sha256")
    .update(JSON.stringify([task, at, key]))
    .digest("base64url");
  return {
    payload: { key, reason: JSON.stringify(reason) },
    spec: {
      jobKey,
      jobKeyMode: "preserve_run_at",
      // A second one for the job of a worker that was killed: it is unlocked after four hours, runs then, and so is deleted.
      maxAttempts: 2,
      ...(at !== undefined && { runAt: new Date(at) }),
    },
  };
}
