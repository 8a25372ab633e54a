import { setTimeout as sleep } from "node:timers/promises";
import { createAgent } from "@cogency/agent";
import type { Provider } from "@cogency/provider";
import { createKeyRing } from "@cogency/tools";
import { createWorker } from "../../src/index.ts";
import { openCrashStore } from "./open-crash-store.ts";

// Arguments: how the store is opened, as JSON; "writes" for a model that never ends, "answers" for one that answers at once. All other
// options of the agent and the worker have their defaults. Prints a line once it is there, and one once it writes.

const [, , place = "", mood] = process.argv;
const store = await openCrashStore(JSON.parse(place));
const provider: Provider = {
  name: "words",
  model: "words-1",
  capabilities: { tools: false, session: false, reasoning: false, format: false },
  async *stream() {
    console.log("writes");
    while (mood === "writes") {
      yield { type: "text", text: "word " };
      await sleep(20);
    }
    yield { type: "text", text: "Done.<end>" };
    yield { type: "finish", reason: "stop" };
  },
};
const keyRing = createKeyRing(["a ring that the processes of this test have in common"]);
const worker = createWorker({ agent: createAgent({ provider, store, keyRing }), store });
await worker.start();
console.log("is there");
