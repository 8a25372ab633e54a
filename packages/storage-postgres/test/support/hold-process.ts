import { setTimeout } from "node:timers/promises";
import { StoreError } from "@cogency/storage";
import { postgresStore } from "../../src/index.ts";
import { said } from "./samples.ts";

// Arguments: the address of the database, the ttl of a lease in milliseconds. Takes the lease, prints its token,
// appends under it and renews it, until it is lost; then prints the error's code and ends with 3.
const [url = "", ttl = "0"] = process.argv.slice(2);
const store = await postgresStore({ url, max: 2 });
const key = { conversation: "c" };
const lease = await store.lease(key, { owner: "holder", ttl: Number(ttl) });
console.log(lease.token);
try {
  for (;;) {
    await store.append(key, [said("held")], { lease });
    await lease.renew();
    await setTimeout(10);
  }
} catch (error) {
  console.error(error instanceof StoreError ? error.code : error);
  process.exitCode = 3;
}
await store.close();
