import { InMemoryTransport } from "@modelcontextprotocol/client";
import {
  acceptedContent,
  completable,
  createMcpHandler,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Connector } from "../../src/client/connector.ts";
import { http } from "../../src/client/http.ts";
import type { Revision } from "./raw-server.ts";

/** A library, on the SDK's own server: its tool `lend` asks who borrows, `blurb` asks the model, and it has books to read. */
export function libraryServer(events: string[] = []): McpServer {
  const server = new McpServer(
    { name: "library", version: "1" },
    { instructions: "Lend one book at a time.", capabilities: { resources: { subscribe: true } } },
  );
  const who = z.object({ name: z.string().default("Ada"), days: z.enum(["7", "14"]) });
  server.registerTool(
    "lend",
    { description: "Lends a book.", inputSchema: z.object({ book: z.string() }) },
    ({ book }, ctx) => {
      const borrower = acceptedContent(ctx.mcpReq.inputResponses, "who", who);
      if (borrower) {
        events.push(`lent ${book} to ${borrower.name} for ${borrower.days} days`);
        return { content: [{ type: "text", text: `Lent to ${borrower.name}.` }] };
      }
      if (ctx.mcpReq.inputResponses) return { content: [{ type: "text", text: "Not lent." }] };
      events.push(`asked who borrows ${book}`);
      const question = inputRequired.elicit({ message: `Who borrows ${book}?`, requestedSchema: who });
      return inputRequired({ inputRequests: { who: question }, requestState: book });
    },
  );
  server.registerTool("blurb", { description: "Writes a blurb." }, (ctx) => {
    const written = inputResponse(ctx.mcpReq.inputResponses, "text");
    if (written.kind !== "missing") return { content: [{ type: "text", text: JSON.stringify(written) }] };
    const messages = [{ role: "user" as const, content: { type: "text" as const, text: "Write a blurb." } }];
    return inputRequired({ inputRequests: { text: inputRequired.createMessage({ messages, maxTokens: 50 }) } });
  });
  server.registerResource("Faust", "book://faust", { description: "A play.", mimeType: "text/plain" }, ({ href }) => ({
    contents: [{ uri: href, mimeType: "text/plain", text: "Habe nun, ach!" }],
  }));
  const template = new ResourceTemplate("book://{author}/{title}", {
    list: undefined,
    complete: { author: (value) => ["goethe", "grass"].filter((one) => one.startsWith(value)) },
  });
  server.registerResource("a book", template, {}, ({ href }, { title }) => ({
    contents: [{ uri: href, text: `The text of ${title}.` }],
  }));
  const args = z.object({
    book: completable(z.string(), (value) => ["faust", "felix"].filter((one) => one.startsWith(value))),
  });
  server.registerPrompt("review", { description: "Reviews a book.", argsSchema: args }, ({ book }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Review ${book}.` } }],
  }));
  return server;
}

/** A way to a server in this process. */
export function connectorTo(make: () => McpServer, revision: Revision): Connector {
  if (revision === "2026-07-28") {
    const { fetch: handle } = createMcpHandler(() => make());
    return http({ url: "http://localhost/mcp", fetch: (url, init) => handle(new Request(url, init)) });
  }
  return {
    kind: "http",
    identity: "http://localhost/mcp",
    async *transports() {
      const [near, far] = InMemoryTransport.createLinkedPair();
      await make().connect(far);
      yield near;
    },
  };
}
