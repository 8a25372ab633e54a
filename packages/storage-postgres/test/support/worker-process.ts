import { postgresStore } from "../../src/index.ts";
import { said } from "./samples.ts";

// Arguments: the address of the database, the name of the worker. Claims what is due, takes the messages one by one into
// the log under a lease, and prints the name of a conversation when it is done. Ends when it is killed.
const [url = "", owner = ""] = process.argv.slice(2);
const store = await postgresStore({ url, max: 2 });
for await (const _ of store.watchWakes({ scope: "workers" })) {
  for (;;) {
    const claims = await store.claim({ owner, limit: 2, ttl: 700, scope: "workers" });
    if (claims.length === 0) break;
    await Promise.all(
      claims.map(async (claim) => {
        const { key } = claim;
        try {
          const lease = await store.lease(key, { owner, ttl: 700 });
          for (const { id } of await store.inbox(key)) await store.append(key, [said(id)], { lease, takes: [id] });
          await lease.release();
          await store.done(claim);
          console.log(key.conversation);
        } catch {
          // Another worker has taken over, or holds the lease still.
          await store.defer(claim, Date.now() + 50);
        }
      }),
    );
  }
}
