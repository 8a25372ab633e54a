import type { AddressInfo } from "node:net";
import { createAgent } from "@cogency/agent";
import offline from "@cogency/provider-offline";
import { createHandler, type User } from "@cogency/server";
import { nodeListener } from "@cogency/server/node";
import { sqliteStore } from "@cogency/storage-sqlite";
import { createKeyRing } from "@cogency/tools";
import { createWorker, healthHandler } from "@cogency/worker";
import express from "express";

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

const app = express();
// Express removes "/api" from the address, so the handler needs no prefix. It reads the body itself: place it before `express.json()`.
app.use("/api", nodeListener(createHandler({ agent, store, authenticate })));
app.get("/health", nodeListener(healthHandler(worker)));
const server = app.listen(Number(PORT), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api`);
});

process.once("SIGTERM", async () => {
  server.close();
  server.closeAllConnections();
  await worker.drain();
  await store.close();
});
