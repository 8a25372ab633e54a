import { env } from "node:process";
import type { JsonObject } from "@cogency/protocol";
import { http, mcp } from "../../src/index.ts";
import { callAsPerson } from "./call-as-person.ts";
import { type LoginContext, loginFor } from "./login-for.ts";

/** What the suite tells a client about its scenario. */
interface Context extends LoginContext {
  toolCalls?: { name: string; arguments?: JsonObject }[];
}

/** Connects, lists, and calls tools one after another, with a person who accepts each question as it is. */
export async function callAtAddress(address: string): Promise<void> {
  const context = JSON.parse(env.MCP_CONFORMANCE_CONTEXT ?? "{}") as Context;
  const url = new URL(address);
  await using servers = mcp({
    client: { name: "cogency-conformance", version: "1.0.0" },
    servers: { conformance: { connector: http({ url, auth: loginFor(url, context), sse: false }) } },
  });
  const [state] = await servers.connect();
  if (state?.status !== "ready") throw new Error(state?.reason ?? "The server is not there.");
  const [source] = servers.sources;
  const offered = source?.tools() ?? [];
  const named = (context.toolCalls ?? []).map((call) => ({
    tool: offered.find(({ name }) => name === `conformance__${call.name}`),
    args: call.arguments ?? {},
  }));
  const calls = named.length > 0 ? named : offered.slice(0, 1).map((tool) => ({ tool, args: { a: 2, b: 3 } }));
  for (const { tool, args } of calls) if (tool) await callAsPerson(tool, args);
}
