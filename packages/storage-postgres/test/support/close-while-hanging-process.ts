import { setTimeout } from "node:timers/promises";
import { postgresStore } from "../../src/index.ts";
import { said } from "./samples.ts";

// Argument: the address of a database behind a proxy that hangs at the first line printed. Closes while connections are
// being made, those of the pool and the one that listens; then nothing may keep the process alive.
const [url = ""] = process.argv.slice(2);
const store = await postgresStore({ url, max: 3, retryFor: 60_000 });
await store.append({ conversation: "c" }, [said("one")]);
console.log("ready");
await setTimeout(200);
const work = [1, 2, 3, 4].map((number) => store.append({ conversation: `c${number}` }, [said("lost")]));
const following = (async () => {
  for await (const _ of store.follow({ conversation: "c" }));
})();
const settled = Promise.allSettled([...work, following]);
await setTimeout(100);
await store.close();
await settled;
console.log("closed");
