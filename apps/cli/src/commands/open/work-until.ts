import type { Agent } from "@cogency/agent";
import type { Store } from "@cogency/storage";
import { createWorker, type WorkerEvent } from "@cogency/worker";
import { note } from "../../base/terminal/note.ts";
import { oneLine } from "../../base/terminal/text.ts";

/**
 * Goes on with every conversation of the folder that is due, until the signal aborts. Says which runs fail. One that fails in a way that
 * somebody has to mend is parked after three tries, because each may cost money, and after six if its key is refused, which costs
 * nothing. The next message of a person makes it due again (`pageSender`).
 *
 * @throws what the store throws
 */
export async function workUntil(signal: AbortSignal, agent: Agent, store: Store): Promise<void> {
  const told = new Map<string, string>();
  let failure: { error: unknown } | undefined;
  const failed = new AbortController();
  const on = (event: WorkerEvent) => {
    if (event.type === "attended") tell(event, told);
    if (event.type !== "trouble") return;
    failure ??= { error: event.error };
    failed.abort();
  };
  const worker = createWorker({ agent, store, concurrency: mostRuns, attempts: mostAttempts, drain: 0, on });
  const ending = AbortSignal.any([signal, failed.signal]);
  const ended = new Promise((resolve) => ending.addEventListener("abort", resolve, { once: true }));
  await worker.start();
  if (!ending.aborted) await ended;
  await worker.drain();
  if (failure && !signal.aborted) throw failure.error;
}

/** Says why a run failed; not again while its conversation goes on to fail in that way. */
function tell({ claim, result }: Extract<WorkerEvent, { type: "attended" }>, told: Map<string, string>): void {
  const { status, error } = result;
  const { conversation } = claim.key;
  if (error?.code === "busy") return;
  const message = status === "failed" ? (error?.message ?? "the run failed.") : undefined;
  if (message !== undefined && told.get(conversation) !== message) note(`✗ ${oneLine(conversation, 60)}: ${message}`);
  if (message === undefined) told.delete(conversation);
  else told.set(conversation, message);
}

/** Conversations that run at one time. */
const mostRuns = 8;

const mostAttempts = 3;
