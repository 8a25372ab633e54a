import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createAgent } from "@cogency/agent";
import offline from "@cogency/provider-offline";
import { anonymousUser, createHandler, type User } from "@cogency/server";
import { nodeListener } from "@cogency/server/node";
import { sqliteStore } from "@cogency/storage-sqlite";
import { createKeyRing } from "@cogency/tools";
import { createWorker } from "@cogency/worker";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { noteTools } from "./src/server/note-tools.ts";
import { secretIn } from "./src/server/secret-in.ts";

// `node server.ts [FOLDER]`: the page on the port in PORT. Conversations, notes and the key stay in the folder.
const { dirname } = import.meta;
const folder = process.argv[2] ?? join(dirname, "data");
await mkdir(folder, { recursive: true });
const store = await sqliteStore({ path: join(folder, "conversations.db") });
const keyRing = createKeyRing([await secretIn(join(folder, "key"))]);
const agent = createAgent({
  provider: offline({ delay: 30 }),
  tools: await noteTools(join(folder, "notes")),
  store,
  keyRing,
});
const worker = createWorker({ agent, store });
await worker.start();

// One user, because only this machine gets here. A server for several people looks a session up instead.
function authenticate({ headers }: Request): User | undefined {
  const isHere = /^127\.0\.0\.1(:\d+)?$/.test(headers.get("host") ?? "");
  return isHere ? { id: anonymousUser, name: "the page", scopes: ["thinking"] } : undefined;
}
const api = createHandler({ agent, store, authenticate, prefix: "/api" });

const contentSecurityPolicy = { defaultSrc: ["'self'"], baseUri: ["'none'"], frameAncestors: ["'none'"] };
const app = new Hono()
  .use(secureHeaders({ contentSecurityPolicy, xFrameOptions: "DENY" }))
  .all("/api/*", ({ req }) => api(req.raw))
  .get("*", serveStatic({ root: join(dirname, "dist") }));
const server = createServer(nodeListener(async (request) => app.fetch(request)));
server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => {
  console.log(`Open http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

// A run in the middle ends its step, and goes on when the server is started again.
process.once("SIGINT", stop).once("SIGTERM", stop);

async function stop(): Promise<void> {
  server.close();
  server.closeAllConnections();
  await worker.drain();
  await store.close();
}
