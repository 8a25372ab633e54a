import { postgresStore } from "../../src/index.ts";

// Arguments: the address of the database, "live" for `liveness`, a conversation. Takes a lease of it, a claim of
// what is due and a slot, each for an hour, prints "ready", and waits to be ended.
const [url = "", kind = "", conversation = ""] = process.argv.slice(2);
const store = await postgresStore({ url, max: 2, liveness: kind === "live" });
await store.lease({ conversation }, { owner: "gone", ttl: 3_600_000 });
await store.claim({ owner: "gone", limit: 1, ttl: 3_600_000 });
await store.slot("requests", { limit: 9, owner: "gone\0", ttl: 3_600_000 });
console.log("ready");
setInterval(() => {}, 60_000);
