import type { Agent } from "@cogency/agent";
import type { Store } from "@cogency/storage";
import { note } from "../../terminal/note.ts";
import { oneLine } from "../../terminal/text.ts";

/** Goes on with every conversation of the folder that is due, until the signal aborts. Says which runs fail. */
export async function workUntil(signal: AbortSignal, agent: Agent, store: Store, scope: string): Promise<void> {
  const stop = agent.on("run_ended", ({ run, status, error }) => {
    if (status !== "failed" || error?.code === "busy") return;
    note(`✗ ${oneLine(run.conversation, 60)}: ${error?.message ?? "the run failed."}`);
  });
  const sweeps = new Set<Promise<unknown>>();
  let failure: { error: unknown } | undefined;
  const failed = new AbortController();
  const ending = AbortSignal.any([signal, failed.signal]);
  try {
    for await (const _ of store.watchWakes({ scope, signal: ending })) {
      // A sweep that is busy with one conversation must not keep another one waiting. One that ends looks for more.
      if (sweeps.size === mostRuns) continue;
      const swept = agent.sweep({ signal: ending, concurrency: 1 }).catch((error: unknown) => {
        failure ??= { error };
        failed.abort();
      });
      sweeps.add(swept);
      swept.finally(() => sweeps.delete(swept));
    }
    await Promise.all(sweeps);
  } finally {
    stop();
  }
  if (failure) throw failure.error;
}

/** Conversations that run at one time. */
const mostRuns = 8;
