import { env, stderr } from "node:process";
import { http, mcp } from "../../src/index.ts";
import { callAsPerson } from "./call-as-person.ts";
import { callsOf, type NamedCall } from "./calls-of.ts";
import { type LoginContext, loginFor } from "./login-for.ts";

/** What the suite tells a client about its scenario. */
interface Context extends LoginContext {
  toolCalls?: NamedCall[];
}

/** Milliseconds. The suite runs many clients at once. */
const patience = 120_000;

/** Connects, lists, and calls tools one after another, with a person who accepts each question as it is. */
export async function callAtAddress(address: string): Promise<void> {
  const context = JSON.parse(env.MCP_CONFORMANCE_CONTEXT ?? "{}") as Context;
  const url = new URL(address);
  const connector = http({ url, auth: await loginFor(url, context), sse: false });
  await using servers = mcp({
    client: { name: "cogency-conformance", version: "1.0.0" },
    servers: { conformance: { connector, timeouts: { connect: patience, call: patience } } },
  });
  const [state] = await servers.connect();
  if (state?.status !== "ready") throw new Error(state?.reason ?? "The server is not there.");
  const offered = servers.sources[0]?.tools() ?? [];
  for (const { tool, args } of callsOf(context.toolCalls, offered, "conformance__")) {
    // One that fails does not stop the others: the suite judges what was sent.
    await callAsPerson(tool, args).catch((error: unknown) => stderr.write(`${tool.name}: ${String(error)}\n`));
  }
}
