import { postgresStore } from "@cogency/storage-postgres";
import { key, lastStep, prompt, talker, turns } from "./talk.ts";

// `node talk-process.ts <url> <charges>`: talks until it kills itself in the middle of a call.
const [url = "", charges = ""] = process.argv.slice(2);
const store = await postgresStore({ url, liveness: true });
let turn = 1;
const agent = talker(store, charges, (step) => {
  if (turn === turns && step === lastStep) process.kill(process.pid, "SIGKILL");
});
for (; turn <= turns; turn++) {
  const { status, error } = await agent.run(prompt, key).result;
  if (status !== "completed") throw error ?? new Error(`Turn ${turn} is ${status}.`);
}
