/** A small server on the SDK's own: over stdio, or with `http` over HTTP on a port that it tells its parent. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { nodeListener } from "@cogency/server/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const large = "x".repeat(1024 * 1024);
const inputSchema = z.object({ text: z.string() });

if (process.argv[2] === "http") {
  const few = createMcpHandler(() => calledServer());
  const many = createMcpHandler(() => listedServer());
  const listener = nodeListener((request) => (request.url.endsWith("/many") ? many : few).fetch(request));
  const server = createServer(listener).listen(0, "127.0.0.1", () => {
    process.send?.((server.address() as AddressInfo).port);
  });
  process.on("disconnect", () => process.exit());
} else {
  serveStdio(() => calledServer());
}

function calledServer(): McpServer {
  const server = new McpServer({ name: "called", version: "1" });
  server.registerTool("echo", { description: "Gives the text.", inputSchema }, ({ text }) => answer(text));
  server.registerTool("large", { description: "Gives 1 MiB.", inputSchema }, () => answer(large));
  return server;
}

function listedServer(): McpServer {
  const server = new McpServer({ name: "listed", version: "1" });
  for (let index = 0; index < 500; index++)
    server.registerTool(`tool_${index}`, { description: `Tool ${index} of many.`, inputSchema }, ({ text }) =>
      answer(text),
    );
  return server;
}

function answer(text: string) {
  return { content: [{ type: "text" as const, text }] };
}
