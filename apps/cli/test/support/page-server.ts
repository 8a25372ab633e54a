import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAgent, defineTool } from "@cogency/agent";
import { pageHtml } from "@cogency/page/node";
import { anonymousUser, createHandler } from "@cogency/server";
import { nodeListener } from "@cogency/server/node";
import { sqliteStore } from "@cogency/storage-sqlite";
import * as z from "zod";
import { workUntil } from "../../src/commands/open/work-until.ts";
import { installationKeys } from "../../src/place/installation-keys.ts";
import pageModel from "./page-model.ts";

/**
 * `node page-server.ts STORE PORT`: the live page without a session, so that it may be started again under the same address, over a
 * store that other processes write to. Its agent has a tool that asks for an answer by a schema.
 */
const [path = "", port] = process.argv.slice(2);
const survey = defineTool({
  name: "survey",
  description: "Asks the person.",
  input: { type: "object" },
  asks: true,
  execute: async (_, { ask }) => {
    const schema = z.object({
      seats: z.int().meta({ title: "How many seats?" }),
      place: z.enum(["window", "aisle"]).meta({ title: "Where?" }),
      meal: z.boolean().meta({ title: "With a meal" }),
      note: z.string().optional().meta({ title: "Anything else?" }),
    });
    return { booked: await ask({ message: "Which seats?", schema }) };
  },
});
const store = await sqliteStore({ path });
const scope = "elsewhere";
const agent = createAgent({ provider: pageModel(), tools: [survey], store, scope, keyRing: await installationKeys() });
const authenticate = () => ({ id: anonymousUser, scopes: ["log", "thinking"] }) as const;
const api = nodeListener(createHandler({ agent, store, authenticate, prefix: "/api" }));
const html = pageHtml({ type: "live", api: "/api" });
const server = createServer((request, response) => {
  if (request.url !== "/") return api(request, response);
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
});
server.listen(Number(port), "127.0.0.1", () => console.log(`${(server.address() as AddressInfo).port}`));
await workUntil(new AbortController().signal, agent, store);
