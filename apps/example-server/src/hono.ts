import { createAgent } from "@cogency/agent";
import offline from "@cogency/provider-offline";
import { createHandler, type User } from "@cogency/server";
import { sqliteStore } from "@cogency/storage-sqlite";
import { createKeyRing } from "@cogency/tools";
import { createWorker, healthHandler } from "@cogency/worker";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

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
const app = new Hono();
app.all("/api/*", ({ req }) => api(req.raw));
app.get("/health", ({ req }) => health(req.raw));
const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(PORT) }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}/api`);
});

process.once("SIGTERM", async () => {
  server.close();
  if ("closeAllConnections" in server) server.closeAllConnections();
  await worker.drain();
  await store.close();
});
