import { flushCompileCache } from "node:module";
import { createInterface } from "node:readline";
import type { Lease, Store } from "@cogency/storage";
import { sqliteStore } from "../../src/index.ts";
import type { Answer, Request } from "./other-process.ts";

// Argument: the path of the database. Every line of the input is a request, every line of the output its answer.
flushCompileCache();
const store = await sqliteStore({ path: process.argv[2] ?? "" });
let lease: Lease | undefined;
for await (const line of createInterface(process.stdin)) {
  const answer = await perform(JSON.parse(line)).then(
    (result): Answer => ({ result }),
    (error): Answer => ({ error: { ...error, message: error.message } }),
  );
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await store.close();

async function perform({ method, parameters }: Request): Promise<unknown> {
  if (method === "renew") return lease?.renew();
  if (method === "isLost") return lease?.lost.aborted;
  const call = store[method] as (...parameters: unknown[]) => ReturnType<Store["append"] | Store["lease"]>;
  const result = await call.apply(store, parameters);
  if (typeof result !== "object") return result;
  lease = result;
  return { owner: lease.owner, token: lease.token, expiresAt: lease.expiresAt };
}
