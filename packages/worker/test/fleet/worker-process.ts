import { createWorker } from "../../src/index.ts";
import { openShop, type ShopOptions } from "./shop.ts";

/** A worker in a process of its own: `node worker-process.ts <ShopOptions with a concurrency, as JSON>`. SIGTERM drains it. */
export interface WorkerProcessOptions extends ShopOptions {
  owner: string;
  concurrency: number;
}

/** What it prints, a line each. */
export type Report =
  | { type: "begun" }
  | { type: "claimed"; conversation: string }
  | { type: "attended"; conversation: string; verdict: string; error?: string }
  | { type: "parked"; conversation: string }
  | { type: "trouble"; what: string }
  | { type: "drained" };

// Ends when the process that has started it ends, however that does.
process.stdin.once("close", () => process.exit()).resume();
const options: WorkerProcessOptions = JSON.parse(process.argv[2] ?? "{}");
const { store, agent } = await openShop(options);
const worker = createWorker({
  agent,
  store,
  owner: options.owner,
  concurrency: options.concurrency,
  ttl: options.ttl,
  attempts: 30, // The fleet is killed all the time, by nobody's fault.
  on(event) {
    const conversation = event.claim?.key.conversation ?? "";
    if (event.type === "attended") {
      const { verdict, result } = event;
      const why = "why" in verdict ? ` ${verdict.why}` : "";
      const error = result.error && `${result.error.code}: ${result.error.message}`;
      tell({ type: "attended", conversation, verdict: verdict.type + why, ...(error && { error }) });
    } else if (event.type === "trouble") tell({ type: "trouble", what: `${event.doing}: ${event.error}` });
    else tell({ type: event.type, conversation });
  },
});
process.once("SIGTERM", async () => {
  await worker.drain();
  await store.close();
  tell({ type: "drained" });
  process.exit();
});
await worker.start();
tell({ type: "begun" });

function tell(report: Report): void {
  process.stdout.write(`${JSON.stringify(report)}\n`);
}
