import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { anonymousUser, createHandler } from "@cogency/server";
import { nodeListener } from "@cogency/server/node";
import { postgresStore } from "@cogency/storage-postgres";
import { sqliteStore } from "@cogency/storage-sqlite";
import { createKeyRing } from "@cogency/tools";
import { createWorker } from "@cogency/worker";

// `node server-process.ts STORE PORT DUTY`: serves the conversations of a store, and prints the port. With the duty `serve-and-work` it
// answers them, too.
const [address = "", port, duty] = process.argv.slice(2);
const isFile = !address.startsWith("postgres");
const store = isFile ? await sqliteStore({ path: address }) : await postgresStore({ url: address });
const keyRing = createKeyRing(["the secret of every process of this test, 32 bytes"]);
const agent = createAgent({ provider: scripted(["First.<end>", "Second.<end>"]), store, keyRing });
const handler = createHandler({
  agent,
  store,
  authenticate: () => ({ id: anonymousUser, scopes: ["log"] }),
  // The soak has a thousand readers.
  limits: { requests: Number.POSITIVE_INFINITY, streams: Number.POSITIVE_INFINITY, waiting: Number.POSITIVE_INFINITY },
});
if (duty === "serve-and-work") await createWorker({ agent, store }).start();
const server = createServer(nodeListener(handler));
server.listen(Number(port), "127.0.0.1", () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
