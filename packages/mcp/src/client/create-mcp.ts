import type { ToolSource } from "@cogency/tools";
import { checkMcpOptions } from "./check-mcp-options.ts";
import { complete } from "./completion/complete.ts";
import { McpError } from "./errors.ts";
import type { Mcp } from "./mcp.ts";
import type { McpEvent, McpOptions, McpRoot } from "./mcp-options.ts";
import { McpServer, type Shared } from "./mcp-server.ts";
import { getPrompt } from "./prompts/get-prompt.ts";
import { readResource } from "./resources/read-resource.ts";
import { resourceTool } from "./resources/resource-tool.ts";
import { createSampler } from "./sampling/sampler.ts";
import { readResult } from "./tools/tool-set.ts";

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
  const roots = options.roots && [...options.roots];
  const shared = sharedOf(options, roots);
  const entries = Object.entries(options.servers);
  const servers = new Map(entries.map(([name, given]) => [name, new McpServer(name, given, shared)]));
  const all = [...servers.values()];
  const never = new AbortController().signal;

  function named(name: string): McpServer {
    const server = servers.get(name);
    if (server) return server;
    const known = [...servers.keys()].join(", ");
    throw new McpError("not_found", name, `There is no server ${JSON.stringify(name)}. The servers are ${known}.`);
  }

  const isReady = ({ connection }: McpServer) => connection.client !== undefined;
  const close = async () => void (await Promise.all(all.map((server) => server.close())));

  const whole: Mcp = {
    name: "mcp",
    sources: [...all.map(sourceOf), resourceSource(all)],
    servers: () => all.map(({ connection }) => connection.state()),
    async connect({ servers: chosen = [...servers.keys()], signal = never } = {}) {
      const connections = chosen.map((name) => named(name).connection);
      const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      await Promise.race([Promise.all(connections.map((connection) => connection.connect())), aborted]);
      return connections.map((connection) => connection.state());
    },
    async call(name, tool, args = {}, { signal } = {}) {
      const { tools, connection } = named(name);
      const result = await tools.call(tool, args, signal);
      return { isError: result.isError === true, ...readResult(result, connection) };
    },
    prompts: () => all.filter(isReady).flatMap(({ prompts }) => prompts),
    async prompt(name, prompt, args = {}, { signal = never } = {}) {
      const { connection, prompts, currentRounds: rounds } = named(name);
      await connection.connected(signal);
      return getPrompt(connection, prompts, prompt, args, { rounds, signal });
    },
    resources: () => all.filter(isReady).flatMap(({ resources }) => resources),
    async read(name, uri, { signal = never } = {}) {
      const { connection, currentRounds: rounds } = named(name);
      return readResource(connection, uri, { signal, rounds });
    },
    watch: async (name, uri, { signal } = {}) => named(name).watches.watch(uri, signal),
    complete: async (name, of, { signal = never } = {}) => complete(named(name).connection, of, signal),
    async setRoots(next) {
      if (!roots)
        throw new TypeError("mcp: servers were not told of `roots`; give them when it is made, if only as [].");
      roots.splice(0, roots.length, ...next);
      await Promise.all(all.map(({ connection }) => connection.tellRoots()));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  // `use` of an agent takes what it knows of an object that is no literal, and refuses the rest of one that is.
  return Object.create(whole);
}

function sharedOf(options: McpOptions, roots: McpRoot[] | undefined): Shared {
  const { client: info = { name: "cogency", version: "1" }, elicitation = true, sampling, logLevel } = options;
  return {
    info,
    roots,
    logLevel,
    answering: { elicitation, roots, sampler: sampling && createSampler(sampling) },
    emit(event: McpEvent) {
      try {
        options.observer?.(event);
      } catch {
        // What the host does with an event is its own affair.
      }
    },
  };
}

function sourceOf({ connection, tools }: McpServer): ToolSource {
  return {
    name: connection.server,
    tools: () => tools.tools,
    ready: (signal) => connection.connectIfDue(signal),
    notes() {
      const { status } = connection.state();
      return status === "ready" ? [] : [`The MCP server "${connection.server}" ${absences[status]}`];
    },
  };
}

const absences = {
  connecting: "is still connecting. Its tools may come later.",
  waiting: "is not connected, and is tried again. Calls of its tools fail meanwhile.",
  failed: "could not be started. Its tools are not there.",
  needs_login: "needs a login of the user. Calls of its tools fail until then.",
  closed: "was closed. Its tools are not there.",
};

/** One tool for the resources of all servers, which is there as long as one of them has some, or says something about itself. */
function resourceSource(servers: readonly McpServer[]): ToolSource {
  const offering = () =>
    servers.flatMap(({ connection, resources, currentRounds: rounds }) => {
      const instructions = connection.client?.getInstructions();
      if (!connection.client || (resources.length === 0 && !instructions)) return [];
      return [
        { link: connection, rounds, resources, ...(instructions && { instructions: connection.hide(instructions) }) },
      ];
    });
  const none: readonly never[] = [];
  const tools = [resourceTool(offering)];
  return {
    // No server can have this name.
    name: "resources of MCP servers",
    tools: () => (offering().length > 0 ? tools : none),
  };
}
