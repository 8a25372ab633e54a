import { postgresStore } from "../../src/index.ts";
import { said } from "./samples.ts";

// Argument: the address of a database. Works a little, follows, closes; then nothing may keep the process alive.
const [url = ""] = process.argv.slice(2);
const store = await postgresStore({ url, max: 2 });
await store.append({ conversation: "c" }, [said("one")]);
const following = (async () => {
  for await (const event of store.follow({ conversation: "c" })) if (event.seq === 1) void store.close();
})();
await following.catch(() => {});
await store.close();
