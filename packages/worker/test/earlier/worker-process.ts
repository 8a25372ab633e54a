import { postgresStore } from "@cogency/storage-postgres";
import { createWorker } from "../../src/index.ts";
import { talker } from "./talk.ts";

// `node worker-process.ts <url> <charges> <step>`: a worker that stands still, with `held`, once it has charged for this step.
process.stdin.once("close", () => process.exit()).resume();
const [url = "", charges = "", held] = process.argv.slice(2);
const store = await postgresStore({ url, liveness: true });
const agent = talker(store, charges, async (step) => {
  if (step !== Number(held)) return;
  process.stdout.write("held\n");
  await new Promise(() => {});
});
await createWorker({ agent, store }).start();
