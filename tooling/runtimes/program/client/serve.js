import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { listenNode } from "../mcp/listen-node.js";
import { serverFor } from "./server.js";

// A server of one page, until this process is ended: the page, the client as one file, and the conversations.
const [, , page = ""] = process.argv;
const server = serverFor(1);
const script = fileURLToPath(new URL("dist/cogency-client.js", import.meta.resolve("@cogency/client/package.json")));
const files = new Map([
  ["/", { file: page, type: "text/html; charset=utf-8" }],
  ["/cogency-client.js", { file: script, type: "text/javascript" }],
]);
const { url } = await listenNode(async (request) => {
  const found = files.get(new URL(request.url).pathname);
  if (!found) return server.handler(request);
  return new Response(readFileSync(found.file), { headers: { "content-type": found.type } });
});
console.log(url);
