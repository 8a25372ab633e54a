import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { createHandler } from "@cogency/server";
import { nodeListener } from "@cogency/server/node";
import { sqliteStore } from "@cogency/storage-sqlite";
import { createKeyRing } from "@cogency/tools";

// `node server-process.ts STORE PORT`: serves the conversations of a store, and prints the port.
const [path = "", port] = process.argv.slice(2);
const store = await sqliteStore({ path });
const keyRing = createKeyRing(["the secret of every process of this test, 32 bytes"]);
const agent = createAgent({ provider: scripted([]), store, keyRing });
const server = createServer(nodeListener(createHandler({ agent, store })));
server.listen(Number(port), "127.0.0.1", () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
