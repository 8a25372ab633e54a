import type { JsonObject } from "@cogency/protocol";
import type { ToolSource } from "@cogency/tools";
import type { Client } from "@modelcontextprotocol/client";
import { aboutTool } from "./about-tool.ts";
import { checkMcpOptions } from "./check-mcp-options.ts";
import { Connection } from "./connection/connection.ts";
import { McpError } from "./errors.ts";
import type { Asking, Mcp, McpCallResult } from "./mcp.ts";
import type { McpEvent, McpOptions } from "./mcp-options.ts";
import { type AnsweringOptions, answerRequests, capabilitiesFor } from "./questions/answer-requests.ts";
import type { InputRounds } from "./questions/input-rounds.ts";
import { createSampler } from "./sampling/sampler.ts";
import { passLogOn, setLogLevel } from "./server-log.ts";
import { readResult, ToolSet } from "./tools/tool-set.ts";

/**
 * MCP servers as a capability of agents. Nothing is connected until a run begins, or until somebody calls `connect`.
 *
 * @throws TypeError or RangeError that names the option
 *
 * @example
 * const servers = mcp({ servers: { docs: { connector: http({ url: "https://mcp.example.com/mcp" }) } } });
 * const agent = createAgent({ provider }).use(servers);
 */
export function mcp(options: McpOptions): Mcp {
  checkMcpOptions(options);
  const { client: info = { name: "cogency", version: "1" }, roots, elicitation = true, sampling, logLevel } = options;
  const emit = (event: McpEvent) => {
    try {
      options.observer?.(event);
    } catch {
      // What the host does with an event is its own affair.
    }
  };
  const answering: AnsweringOptions = { elicitation, roots, sampler: sampling && createSampler(sampling) };
  const rounds = new WeakMap<Client, InputRounds>();
  const connections = new Map<string, Connection>();
  const toolSets = new Map<string, ToolSet>();

  for (const [server, given] of Object.entries(options.servers)) {
    const connection = new Connection(server, given, {
      info,
      emit,
      clientOptions: () => ({
        capabilities: capabilitiesFor(answering),
        listMaxPages: mostPages,
        inputRequired: { autoFulfill: false },
        listChanged: { tools: { autoRefresh: false, debounceMs: 200, onChanged: () => changed() } },
      }),
      prepare(client) {
        const log = (text: string) => emit({ type: "log", server, level: "notice", text });
        rounds.set(client, answerRequests(client, connection, { ...answering, log }));
        passLogOn(client, connection, emit);
        if (roots)
          client.setRequestHandler("roots/list", () => ({
            roots: roots.map(({ uri, name }) => ({ uri, ...(name !== undefined && { name }) })),
          }));
      },
      async list(client) {
        await setLogLevel(client, logLevel);
        await tools.list(client);
      },
    });
    const tools = new ToolSet({
      connection,
      asks: elicitation || sampling !== undefined,
      roundsOf: (client) => rounds.get(client),
    });
    const changed = () => {
      if (connection.client) tools.refresh(connection.client);
    };
    connections.set(server, connection);
    toolSets.set(server, tools);
  }

  function named(server: string): Connection {
    const connection = connections.get(server);
    if (connection) return connection;
    throw new McpError("not_found", server, `There is no server ${JSON.stringify(server)}.`);
  }

  async function call(
    server: string,
    tool: string,
    args: JsonObject = {},
    { signal }: Asking = {},
  ): Promise<McpCallResult> {
    const connection = named(server);
    const result = await (toolSets.get(server) as ToolSet).call(tool, args, signal);
    return { isError: result.isError === true, ...readResult(result, connection) };
  }

  const connect: Mcp["connect"] = async ({ servers = [...connections.keys()], signal } = {}) => {
    const chosen = servers.map(named);
    const aborted = new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));
    await Promise.race([Promise.all(chosen.map((connection) => connection.connect())), aborted]);
    return chosen.map((connection) => connection.state());
  };

  const close = async () => {
    await Promise.all([...connections.values()].map((connection) => connection.close()));
  };

  return {
    name: "mcp",
    tools: [aboutTool(connections)],
    sources: [...connections].map(([server, connection]) => sourceOf(connection, toolSets.get(server) as ToolSet)),
    servers: () => [...connections.values()].map((connection) => connection.state()),
    connect,
    call,
    close,
    [Symbol.asyncDispose]: close,
  } as unknown as Mcp;
}

/** Pages of a list that the SDK follows by itself. */
const mostPages = 8;

function sourceOf(connection: Connection, tools: ToolSet): ToolSource {
  const { server } = connection;
  return {
    name: `mcp:${server}`,
    tools: () => tools.tools,
    ready: (signal) => connection.connectIfDue(signal),
    notes() {
      const { status } = connection.state();
      return status === "ready" ? [] : [`The MCP server "${server}" ${absences[status]}`];
    },
  };
}

const absences = {
  connecting: "is still connecting. Its tools may come later.",
  waiting: "is not connected, and is tried again. Calls of its tools fail meanwhile.",
  failed: "could not be started. Its tools are not there.",
  needs_login: "needs a login of the user. Its tools are not there.",
  closed: "was closed. Its tools are not there.",
};
