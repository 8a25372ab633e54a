import { wait } from "@cogency/async";
import type { JsonObject } from "@cogency/protocol";
import type { ToolSource } from "@cogency/tools";
import { checkMcpOptions } from "./check-mcp-options.ts";
import { complete } from "./completion/complete.ts";
import { McpError } from "./errors.ts";
import type { Asking, CompletionOf, Mcp, McpCallResult, McpPromptText } from "./mcp.ts";
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
  return new Servers(servers, roots);
}

/** A class, so that `use` of an agent does not take what only the host calls for wrong options. */
class Servers implements Mcp {
  readonly name = "mcp";
  readonly sources: readonly ToolSource[];
  private readonly named: ReadonlyMap<string, McpServer>;
  private readonly roots: McpRoot[] | undefined;

  constructor(named: ReadonlyMap<string, McpServer>, roots: McpRoot[] | undefined) {
    this.named = named;
    this.roots = roots;
    this.sources = [...this.all.map(sourceOf), resourceSource(this.all)];
  }

  servers() {
    return this.all.map(({ connection }) => connection.state());
  }

  async connect({ servers = [...this.named.keys()], signal }: Parameters<Mcp["connect"]>[0] = {}) {
    const connections = servers.map((name) => this.find(name).connection);
    const connected = Promise.all(connections.map((connection) => connection.connect()));
    await (signal ? Promise.race([connected, wait(Number.POSITIVE_INFINITY, signal)]) : connected);
    return connections.map((connection) => connection.state());
  }

  async call(name: string, tool: string, args: JsonObject = {}, { signal }: Asking = {}): Promise<McpCallResult> {
    const { tools, connection } = this.find(name);
    const result = await tools.call(tool, args, signal);
    return { isError: result.isError === true, ...readResult(result, connection) };
  }

  prompts() {
    return this.ready.flatMap(({ prompts }) => prompts);
  }

  async prompt(
    name: string,
    prompt: string,
    args: Readonly<Record<string, string>> = {},
    { signal = never }: Asking = {},
  ): Promise<McpPromptText> {
    const server = this.find(name);
    await server.connection.connected(signal);
    return getPrompt(server.connection, server.prompts, prompt, args, { rounds: server.currentRounds, signal });
  }

  resources() {
    return this.ready.flatMap(({ resources }) => resources);
  }

  async read(name: string, uri: string, { signal = never }: Asking = {}) {
    const { connection, currentRounds: rounds } = this.find(name);
    return readResource(connection, uri, { signal, rounds });
  }

  async watch(name: string, uri: string, { signal }: Asking = {}) {
    return this.find(name).watches.watch(uri, signal);
  }

  async complete(name: string, of: CompletionOf, { signal = never }: Asking = {}) {
    return complete(this.find(name).connection, of, signal);
  }

  async setRoots(next: readonly McpRoot[]): Promise<void> {
    const { roots } = this;
    if (!roots) throw new TypeError("mcp: servers were not told of `roots`; give them when it is made, if only as [].");
    roots.splice(0, roots.length, ...next);
    await Promise.all(this.all.map(({ connection }) => connection.tellRoots()));
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((server) => server.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private get all(): readonly McpServer[] {
    return [...this.named.values()];
  }

  private get ready(): readonly McpServer[] {
    return this.all.filter(({ connection }) => connection.client !== undefined);
  }

  private find(name: string): McpServer {
    const server = this.named.get(name);
    if (server) return server;
    const known = [...this.named.keys()].join(", ");
    throw new McpError("not_found", name, `There is no server ${JSON.stringify(name)}. The servers are ${known}.`);
  }
}

const never = new AbortController().signal;

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
