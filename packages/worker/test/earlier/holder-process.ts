import { once } from "node:events";
import { postgresStore } from "@cogency/storage-postgres";
import { key, talker } from "./talk.ts";

// `node holder-process.ts <url> <charges> <step>…`: goes on with the conversation. Once it has charged for one of these steps, it
// prints the step and stands still in the call, until it reads something.
process.stdin.once("close", () => process.exit()).resume();
const [url = "", charges = "", ...stands] = process.argv.slice(2);
const store = await postgresStore({ url, liveness: true });
const agent = talker(store, charges, async (step) => {
  if (!stands.includes(`${step}`)) return;
  process.stdout.write(`${step}\n`);
  await once(process.stdin, "data");
});
await agent.recover(key).result;
