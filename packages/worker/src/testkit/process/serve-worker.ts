import { once } from "node:events";
import type { Json } from "@cogency/protocol";
import { pause as wait } from "@cogency/protocol/testkit";
import { createWorker } from "../../create-worker.ts";
import { fileLedger } from "../fleet/ledger.ts";
import { steppingAgent } from "../fleet/stepping-agent.ts";
import type { OpenElsewhere } from "../tested-dispatcher.ts";
import type { Assignment } from "./other-worker.ts";

/** The whole program of a worker in another process, for `elsewhere`. It ends with the process that started it. */
export async function serveWorker<Options extends Json>(open: OpenElsewhere<Options>): Promise<void> {
  const [assignment] = (await once(process, "message")) as [Assignment];
  process.once("disconnect", () => process.exit());
  const { options, ledger, ttl, lookEvery, pause, concurrency, clockAhead = 0 } = assignment;
  if (clockAhead !== 0) {
    const now = Date.now;
    Date.now = () => now() + clockAhead;
  }
  const { store, dispatcher } = await open(options as Options);
  const agent = steppingAgent({ store, ledger: fileLedger(ledger), ttl, pause: () => wait(pause) });
  await createWorker({ agent, store, dispatcher, ttl, lookEvery, concurrency }).start();
  process.send?.("working");
}
