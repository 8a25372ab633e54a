import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createAgent } from "@cogency/agent";
import offline from "@cogency/provider-offline";
import { anonymousUser, createHandler, type User } from "@cogency/server";
import { sqliteStore } from "@cogency/storage-sqlite";
import { createKeyRing } from "@cogency/tools";
import { createWorker } from "@cogency/worker";
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { noteTools } from "./server/note-tools.ts";
import { secretIn } from "./server/secret-in.ts";

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
const server = serve(
  { fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env.PORT ?? 8080) },
  ({ port }) => {
    console.log(`Open http://127.0.0.1:${port}`);
  },
);

// A run in the middle ends its step, and goes on when the server is started again.
process.once("SIGINT", stop).once("SIGTERM", stop);

async function stop(): Promise<void> {
  const closed = once(server, "close");
  server.close();
  if ("closeAllConnections" in server) server.closeAllConnections();
  await Promise.all([closed, worker.drain()]);
  await store.close();
}
