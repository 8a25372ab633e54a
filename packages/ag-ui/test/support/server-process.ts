import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { nodeListener } from "@cogency/server/node";
import { sqliteStore } from "@cogency/storage-sqlite";
import { createKeyRing } from "@cogency/tools";
import { createAgUiHandler } from "../../src/index.ts";

// `node server-process.ts FILE hang|answer`: serves the conversations of a file, and prints the port. With `hang` its model stops in the
// middle of a text.
const [path = "", how] = process.argv.slice(2);
const store = await sqliteStore({ path });
const keyRing = createKeyRing(["the secret of every process of this test, 32 bytes"]);
const steps = how === "hang" ? [{ chunks: ["Once upon ", "a time"], hang: true as const }] : ["Once more, whole.<end>"];
const agent = createAgent({ provider: scripted(steps), store, keyRing });
const handler = createAgUiHandler({ agent, store, authenticate: () => ({ id: "ada" }), prefix: "/ag-ui" });
const server = createServer(nodeListener(handler));
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
