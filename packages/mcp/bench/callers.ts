import { fileURLToPath } from "node:url";
import { createExecutor, createRegistry } from "@cogency/tools";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { http, type Mcp, mcp } from "../src/index.ts";
import { program } from "../src/node/index.ts";

/** One way to call tools of the server. */
interface Caller {
  readonly name: string;
  /** Gives the number of characters in the result. */
  call(tool: string, text: string): Promise<number>;
}

export interface Callers {
  /** The floor is the first. */
  readonly all: readonly Caller[];
  /** The revision that both clients have agreed on with the server. */
  readonly revision: string;
  close(): Promise<void>;
}

const launch = { command: process.execPath, args: [fileURLToPath(new URL("server.ts", import.meta.url))] };

/** @param address of a server over HTTP; without one each client has a program of its own */
export async function openCallers(address?: string): Promise<Callers> {
  const sdk = await openSdk(address);
  const own = openOwn(address);
  const [state] = await own.connect();
  const revision = sdk.getNegotiatedProtocolVersion();
  if (!revision || state?.protocol !== revision)
    throw new Error(`${revision} and ${state?.protocol} cannot be compared.`);
  return {
    all: [sdkCaller(sdk), ownCaller(own), executorCaller(own)],
    revision,
    close: async () => void (await Promise.all([sdk.close(), own.close()])),
  };
}

/** It negotiates the revision as ours does, so that both speak the same. */
export async function openSdk(address?: string): Promise<Client> {
  const client = new Client({ name: "bench", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const transport = address
    ? new StreamableHTTPClientTransport(new URL(address))
    : new StdioClientTransport({ ...launch });
  await client.connect(transport);
  return client;
}

export function openOwn(address?: string): Mcp {
  const connector = address ? http({ url: address }) : program(launch);
  return mcp({ servers: { own: { connector, approval: { "*": "allow" } } } });
}

function sdkCaller(client: Client): Caller {
  return {
    name: "Client of the SDK",
    async call(name, text) {
      const [block] = (await client.callTool({ name, arguments: { text } })).content;
      return block?.type === "text" ? block.text.length : 0;
    },
  };
}

function ownCaller(servers: Mcp): Caller {
  return {
    name: "mcp().call()",
    call: async (tool, text) => lengthOf((await servers.call("own", tool, { text })).value),
  };
}

function executorCaller(servers: Mcp): Caller {
  const tools = servers.sources?.flatMap((source) => source.tools()) ?? [];
  const executor = createExecutor({ registry: createRegistry(tools) });
  return {
    name: "a call of an executor",
    async call(tool, text) {
      const [result] = await executor.run([{ name: `own__${tool}`, args: { text } }], { conversation: "bench" });
      return lengthOf(result?.value);
    },
  };
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}
