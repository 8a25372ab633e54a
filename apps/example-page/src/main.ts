import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pageHtml, pagePolicy } from "@cogency/page/node";
import { anonymousUser, createHandler, type User } from "@cogency/server";
import { nodeListener } from "@cogency/server/node";
import { sqliteStore } from "@cogency/storage-sqlite";
import { createKeyRing } from "@cogency/tools";
import { createWorker } from "@cogency/worker";
import { notesAgent } from "./notes-agent.ts";

// `node src/main.ts [FOLDER]`: the page on the port in PORT, everything that lasts in the folder.
const folder = process.argv[2] ?? fileURLToPath(new URL("../data", import.meta.url));
await mkdir(folder, { recursive: true });
const store = await sqliteStore({ path: join(folder, "conversations.db") });
const keyRing = createKeyRing([await secretIn(join(folder, "key"))]);
const agent = await notesAgent(join(folder, "notes"), store, keyRing);

const server = createServer();
server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1");
await once(server, "listening");
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

// One user for every request: the server listens on loopback only. A server for several people reads a session here. A page elsewhere
// whose name leads to this address has another host, and must not read or post.
function authenticate({ headers }: Request): User | undefined {
  return headers.get("host") === host
    ? { id: anonymousUser, name: "the page", scopes: ["log", "thinking"] }
    : undefined;
}
const api = createHandler({ agent, store, authenticate, prefix: "/api" });

const html = pageHtml({ type: "live", api: "/api" });
const headers = {
  "content-type": "text/html; charset=utf-8",
  // No other page shows this one in a frame to borrow a click on "Allow".
  "content-security-policy": `${pagePolicy("live")}; frame-ancestors 'none'`,
};
const isPage = ({ url }: Request) => new URL(url).pathname === "/";
server.on(
  "request",
  nodeListener(async (request) => (isPage(request) ? new Response(html, { headers }) : api(request))),
);
console.log(`Open http://${host}`);

// Each message, timer or run that another process left behind makes its conversation due. A run that fails leaves a notice, which the
// page shows.
const worker = createWorker({ agent, store });
await worker.start();

// A run in the middle ends its step, and goes on when the server is started again.
process.once("SIGINT", stop).once("SIGTERM", stop);

async function stop(): Promise<void> {
  server.close();
  server.closeAllConnections();
  await worker.drain();
  await store.close();
}

/** The secret that signs answers: made at the first start, and kept where no tool can read it. */
async function secretIn(file: string): Promise<string> {
  const secret = randomBytes(32).toString("hex");
  await writeFile(file, secret, { flag: "wx", mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  return readFile(file, "utf8");
}
