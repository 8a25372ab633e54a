import { createWorker } from "@cogency/worker";
import { type OpenOptions, openWith } from "../open-with.ts";
import { steppingAgent } from "../stepping-agent.ts";
import { concurrency, serve } from "./serve.ts";

// A worker, with everything as an application has it unless it says otherwise; its model and its tool answer at once.
await serve(async (options: OpenOptions) => {
  const { store, dispatcher } = await openWith(options);
  const counts = { steps: 0, ended: 0 };
  const agent = steppingAgent(store, () => counts.steps++);
  const worker = createWorker({
    agent,
    store,
    dispatcher,
    concurrency,
    on(event) {
      if (event.type === "claimed") return;
      if (event.type !== "attended" || event.verdict.type !== "done" || event.result.error) throw fail(event);
      counts.ended++;
    },
  });
  return { count: () => counts.steps, ended: () => counts.ended, begin: () => worker.start() };
});

/** A worker that fails here measures something else. It ends, and with it the benchmark. */
function fail(event: unknown): never {
  console.error("The worker reports:", event);
  process.exit(1);
}
