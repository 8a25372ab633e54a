import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAgent } from "@cogency/agent";
import offline from "@cogency/provider-offline";
import { createHandler, type User } from "@cogency/server";
import { nodeListener } from "@cogency/server/node";
import { sqliteStore } from "@cogency/storage-sqlite";
import { createKeyRing } from "@cogency/tools";
import { createWorker, healthHandler } from "@cogency/worker";

// SECRET signs messages. TOKENS names the user of each token: { "a long random text": "ada" }.
const { SECRET = "", TOKENS = "{}", STORE = "conversations.db", PORT = "8080" } = process.env;
const store = await sqliteStore({ path: STORE });
const agent = createAgent({ provider: offline(), store, keyRing: createKeyRing([SECRET]) });
const worker = createWorker({ agent, store });
await worker.start();

const users = new Map(Object.entries<string>(JSON.parse(TOKENS)));
function authenticate({ headers }: Request): User | undefined {
  // `@cogency/client` sends such a header from pages, too. An EventSource sends none: for it, look a session cookie up instead.
  const id = users.get(headers.get("authorization")?.replace(/^Bearer /, "") ?? "");
  return id === undefined ? undefined : { id };
}

const api = createHandler({ agent, store, authenticate, prefix: "/api" });
const health = healthHandler(worker);
const server = createServer(
  nodeListener((request) => (new URL(request.url).pathname === "/health" ? health(request) : api(request))),
);
server.listen(Number(PORT), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api`);
});

process.once("SIGTERM", async () => {
  server.close();
  server.closeAllConnections();
  await worker.drain();
  await store.close();
});
