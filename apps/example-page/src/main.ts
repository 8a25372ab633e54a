import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sqliteStore } from "@cogency/storage-sqlite";
import { createKeyRing } from "@cogency/tools";
import { createWorker } from "@cogency/worker";
import { createHandler } from "./handler.ts";
import { notesAgent } from "./notes-agent.ts";
import { pageFiles } from "./page-files.ts";

// `node src/main.ts [FOLDER]`: the page on the port in PORT, everything that lasts in the folder.
const folder = process.argv[2] ?? fileURLToPath(new URL("../data", import.meta.url));
await mkdir(folder, { recursive: true });
const store = await sqliteStore({ path: join(folder, "conversations.db") });
const keyRing = createKeyRing([await secretIn(join(folder, "key"))]);
const agent = await notesAgent(join(folder, "notes"), store, keyRing);

const server = createServer();
server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1");
await once(server, "listening");
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const key = { conversation: "notes" };
// One name for every request: the server listens on loopback only. A server for several people reads a session here.
const personOf = () => "the page";
server.on("request", createHandler({ agent, store, key, origin, personOf, files: await pageFiles() }));
console.log(`Open ${origin}`);

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
