/** A server over stdio with a tool that never ends, and an agent whose conversations stand in the store that the argument names. */
import { writeFileSync } from "node:fs";
import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { sqliteStore } from "@cogency/storage-sqlite";
import { createKeyRing, defineTool } from "@cogency/tools";
import { serveStdio } from "../../../src/node/serve-stdio.ts";
import { mcpServer } from "../../../src/server/index.ts";

const [folder = ".", ...answers] = process.argv.slice(2);
const input = { type: "object", properties: {} } as const;
const annotations = { readOnlyHint: true } as const;

const slow = defineTool({
  name: "slow",
  description: "Begins, and never ends.",
  input,
  annotations,
  execute() {
    writeFileSync(`${folder}/begun`, "");
    return new Promise(() => {});
  },
});

const refund = defineTool({
  name: "refund",
  description: "Refunds an order.",
  input,
  approval: "ask",
  execute: () => "refunded",
});

const keyRing = createKeyRing(["a secret of at least 32 bytes, kept elsewhere"]);
const store = await sqliteStore({ path: `${folder}/log.db` });
const agent = createAgent({ provider: scripted(answers), tools: [refund], store, keyRing });

await serveStdio(mcpServer({ tools: [slow], agent })).closed;
