import type { Client, ClientOptions } from "@modelcontextprotocol/client";
import { Connection } from "./connection/connection.ts";
import type { SharedOptions } from "./connection/settings.ts";
import { McpError } from "./errors.ts";
import { keepListening } from "./lists/keep-listening.ts";
import { createRefresher, type Refresher } from "./lists/refresher.ts";
import type { McpPrompt, McpResource } from "./mcp.ts";
import type { McpEvent, McpRoot, McpServerOptions } from "./mcp-options.ts";
import { listPrompts } from "./prompts/list-prompts.ts";
import { type AnsweringOptions, answerRequests, capabilitiesFor } from "./questions/answer-requests.ts";
import type { InputRounds } from "./questions/input-rounds.ts";
import { listResources } from "./resources/list-resources.ts";
import { type ResourceWatches, resourceWatches } from "./resources/resource-watches.ts";
import { passLogOn, setLogLevel } from "./server-log.ts";
import { ToolSet } from "./tools/tool-set.ts";

/** What all servers share. */
export interface Shared extends Pick<SharedOptions, "logLevel"> {
  readonly info: { readonly name: string; readonly version: string };
  readonly answering: AnsweringOptions;
  /** As they are now; undefined where servers are told of none. */
  readonly roots: readonly McpRoot[] | undefined;
  emit(event: McpEvent): void;
}

/** One server with all that it has: its connection, tools, prompts and resources. */
export class McpServer {
  readonly connection: Connection;
  readonly tools: ToolSet;
  readonly watches: ResourceWatches;
  prompts: readonly McpPrompt[] = [];
  resources: readonly McpResource[] = [];
  private readonly shared: Shared;
  private readonly rounds = new WeakMap<Client, InputRounds>();
  /** Of the client that is connected, or is about to be. */
  private refreshers: readonly Refresher[] = [];

  constructor(server: string, options: McpServerOptions, all: Shared) {
    const shared = options.connector.kind === "program" ? all : withoutRoots(all);
    const { info, answering, emit } = shared;
    this.shared = shared;
    this.connection = new Connection(server, options, {
      info,
      emit,
      clientOptions: () => this.clientOptions(),
      prepare: (client) => this.prepare(client),
      list: (client) => this.list(client),
      ready: () => this.refreshers.forEach(({ catchUp }) => void catchUp()),
    });
    this.tools = new ToolSet({
      connection: this.connection,
      asks: answering.elicitation !== false || answering.sampler !== undefined,
      roundsOf: (client) => this.roundsOf(client),
    });
    this.watches = resourceWatches(this.connection, (uri) => emit({ type: "resource_changed", server, uri }));
  }

  roundsOf(client: Client): InputRounds {
    const rounds = this.rounds.get(client);
    if (rounds) return rounds;
    throw new McpError("closed", this.connection.server, `The server ${this.connection.server} was closed.`);
  }

  /** Answers the questions that come with the answer to a request, on the client that is connected then. */
  get currentRounds(): InputRounds {
    return {
      send: async (send, context, signal) => {
        const client = await this.connection.connected(signal);
        return this.roundsOf(client).send(send, context, signal);
      },
    };
  }

  async close(): Promise<void> {
    this.watches.close();
    await this.connection.close();
  }

  private clientOptions(): ClientOptions {
    const refreshers: Refresher[] = [];
    const whenChanged = (what: string, list: (client: Client) => Promise<void>) => {
      const refresher = createRefresher(
        () => this.listAgain(what, list),
        () => this.connection.client === undefined,
      );
      refreshers.push(refresher);
      return { autoRefresh: false, debounceMs: debounce, onChanged: refresher.changed };
    };
    this.refreshers = refreshers;
    return {
      capabilities: capabilitiesFor(this.shared.answering),
      // A person who is asked takes longer than the SDK would wait.
      inputRequired: { autoFulfill: false },
      listChanged: {
        tools: whenChanged("tools", (client) => this.tools.list(client)),
        prompts: whenChanged("prompts", (client) => this.listPrompts(client)),
        resources: whenChanged("resources", (client) => this.listResources(client)),
      },
    };
  }

  private prepare(client: Client): void {
    const { answering, emit, roots } = this.shared;
    const { server } = this.connection;
    const log = (text: string) => emit({ type: "log", server, level: "notice", text });
    this.rounds.set(client, answerRequests(client, this.connection, { ...answering, log }));
    passLogOn(client, this.connection, emit);
    this.watches.attach(client);
    if (roots) client.setRequestHandler("roots/list", () => ({ roots: roots.map((root) => ({ ...root })) }));
  }

  private async list(client: Client): Promise<void> {
    await setLogLevel(client, this.shared.logLevel);
    // A server whose prompts or resources cannot be listed still has tools.
    await Promise.all([
      this.tools.list(client),
      this.noting("prompts", this.listPrompts(client)),
      this.noting("resources", this.listResources(client)),
    ]);
    void this.watches.restore(client).catch(() => {});
    keepListening(
      client,
      () => this.connection.client !== client,
      () => void this.listAllAgain(),
    );
  }

  private async listAllAgain(): Promise<void> {
    await Promise.all([
      this.listAgain("tools", (client) => this.tools.list(client)),
      this.listAgain("prompts", (client) => this.listPrompts(client)),
      this.listAgain("resources", (client) => this.listResources(client)),
    ]);
  }

  private async listAgain(what: string, list: (client: Client) => Promise<void>): Promise<void> {
    const { client } = this.connection;
    if (client) await this.noting(what, list(client));
  }

  private async noting(what: string, listed: Promise<void>): Promise<void> {
    try {
      await listed;
    } catch (error) {
      const { message } = this.connection.problem(error);
      this.connection.setProblems(what, [`Its ${what} could not be listed: ${message}`]);
    }
  }

  private async listPrompts(client: Client): Promise<void> {
    const { server } = this.connection;
    const { prompts, problems } = await listPrompts(client, server, this.listLimits());
    this.prompts = prompts;
    this.connection.setProblems("prompts", problems);
    this.connection.show({ prompts: prompts.map(({ name }) => name) });
  }

  private async listResources(client: Client): Promise<void> {
    const { server } = this.connection;
    const { resources, problems } = await listResources(client, server, this.listLimits());
    this.resources = resources;
    this.connection.setProblems("resources", problems);
    this.connection.show({ resources: resources.length });
  }

  private listLimits() {
    const { limits, timeouts } = this.connection.settings;
    return {
      items: limits.items,
      description: limits.description,
      timeout: timeouts.connect,
      hide: (text: string) => this.connection.hide(text),
    };
  }
}

/** Milliseconds. */
const debounce = 200;

/** A server at an address has folders of its own: it need not know the paths of this machine. */
function withoutRoots(shared: Shared): Shared {
  return { ...shared, roots: undefined, answering: { ...shared.answering, roots: undefined } };
}
