// `node site-process.ts FOLDER PORT`: a page with useChat and its server, whose store is a file of the folder. Prints its address.

import { appendFileSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createAgent, defineTool } from "@cogency/agent";
import type { Provider } from "@cogency/provider";
import { nodeListener } from "@cogency/server/node";
import { sqliteStore } from "@cogency/storage-sqlite";
import { createKeyRing } from "@cogency/tools";
import { createChatHandler } from "../../src/chat/index.ts";
import { story } from "./story.ts";

const [folder = "", port = "0"] = process.argv.slice(2);

const refund = defineTool({
  name: "refund",
  description: "Refunds an order.",
  input: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
  approval: "ask",
  execute({ order }) {
    appendFileSync(join(folder, "refunds.txt"), `${order}\n`);
    return `refunded ${order}`;
  },
});

/** Asks for a refund, or tells a story, word by word. */
const provider: Provider = {
  name: "scripted",
  model: "scripted-1",
  capabilities: { tools: false, session: false, reasoning: false, format: false },
  async *stream({ messages }) {
    const last = JSON.stringify(messages.at(-1));
    const isRefund = last.includes("refund") && !last.includes("<results>");
    const words = last.includes("story") ? story : ["It ", "is ", "refunded."];
    const pieces = isRefund
      ? ['I ask.<execute>[{"name":"refund","args":{"order":"A1"}}]</execute>']
      : [...words, "<end>"];
    for (const text of pieces) {
      await sleep(20);
      yield { type: "text", text };
    }
    yield { type: "finish", reason: "stop" };
  },
};

const store = await sqliteStore({ path: join(folder, "chat.db") });
const agent = createAgent({
  provider,
  tools: [refund],
  store,
  keyRing: createKeyRing(["the secret of a site, of 32 bytes"]),
});
const chat = nodeListener(
  createChatHandler({ agent, store, authenticate: () => ({ id: "ada" }), prefix: "/api/chat", onError: console.error }),
);
const page = `<!doctype html><meta charset="utf-8"><title>Chat</title><body><script type="module" src="/page.js"></script>`;
const server = createServer((request, response) => {
  const { url = "" } = request;
  if (url.startsWith("/api/chat")) return chat(request, response);
  const isScript = url === "/page.js";
  response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
  response.end(isScript ? readFileSync(join(folder, "page.js")) : page);
});
server.listen(Number(port), "127.0.0.1", () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
