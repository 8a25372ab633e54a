import type { JsonObject } from "@cogency/protocol";
import { type Tool, type ToolContext, withAttachments } from "@cogency/tools";
import {
  type CacheableRequestOptions,
  type CallToolResult,
  type Client,
  type Tool as Definition,
  SdkError,
  SdkErrorCode,
} from "@modelcontextprotocol/client";
import type { Connection } from "../connection/connection.ts";
import { McpError } from "../errors.ts";
import { listAll, type WholeList } from "../lists/list-all.ts";
import type { InputRounds } from "../questions/input-rounds.ts";
import { plainText } from "../text/plain-text.ts";
import { callTool } from "./call-tool.ts";
import { offeredTools } from "./offered-tools.ts";
import { type ResultValue, resultValue } from "./result-value.ts";

export interface ToolSetOptions {
  readonly connection: Connection;
  /** Whether the server may ask in the middle of a call. */
  readonly asks: boolean;
  roundsOf(client: Client): InputRounds;
}

/** The tools of one server. */
export class ToolSet {
  private readonly options: ToolSetOptions;
  private offered: readonly Tool[] = [];
  private definitions: ReadonlyMap<string, Definition> = new Map();

  constructor(options: ToolSetOptions) {
    this.options = options;
  }

  /** The same array as long as nothing has changed. */
  get tools(): readonly Tool[] {
    return this.offered;
  }

  async list(client: Client): Promise<void> {
    const { connection } = this.options;
    const { limits, timeouts } = connection.settings;
    const options = { timeout: timeouts.connect, cacheMode: "bypass" as const };
    const { items, problem } = client.getServerCapabilities()?.tools
      ? await listTools(client, limits.items, options)
      : { items: [] };
    this.use(items, problem);
  }

  /** Calls a tool by the server's own name. @throws McpError */
  async call(tool: string, args: JsonObject, signal?: AbortSignal): Promise<CallToolResult> {
    const { connection } = this.options;
    await connection.connected(signal);
    const definition = this.definitions.get(tool);
    if (definition) return this.send(definition, args, undefined, signal);
    const { server } = connection;
    throw new McpError("not_found", server, `The server ${server} offers no tool ${JSON.stringify(tool)}.`);
  }

  private use(listed: readonly Definition[], problem: string | undefined): void {
    const { connection, asks } = this.options;
    const { server, options, settings } = connection;
    const made = offeredTools(listed, {
      server,
      options,
      description: settings.limits.description,
      timeout: settings.timeouts.total + settings.timeouts.silence + 1000,
      asks,
      executeFor: (definition) => (args, context) => this.execute(definition, args, context),
    });
    const isSame = sameDefinitions(this.definitions, made.definitions);
    this.definitions = isSame ? this.definitions : made.definitions;
    this.offered = isSame ? this.offered : Object.freeze([...made.tools]);
    connection.setProblems("tools", [...(problem === undefined ? [] : [problem]), ...made.problems]);
    connection.show({ tools: this.offered.map(({ name }) => name) });
  }

  private async execute(definition: Definition, args: JsonObject, context: ToolContext): Promise<unknown> {
    const { connection } = this.options;
    const { server } = connection;
    const result = await this.send(definition, args, context, context.signal);
    const { value, attachments } = readResult(result, connection);
    if (!result.isError) return attachments.length > 0 ? withAttachments(value, attachments) : value;
    const said = typeof value === "string" ? value : JSON.stringify(value);
    throw new McpError(
      "tool_failed",
      server,
      plainText(said, longestFailure).text || "The tool failed, and gave no reason.",
    );
  }

  private send(
    definition: Definition,
    args: JsonObject,
    context: ToolContext | undefined,
    signal: AbortSignal | undefined,
  ) {
    const { connection, roundsOf } = this.options;
    const current = () => this.definitions.get(definition.name);
    return callTool({ connection, definition, args, context, signal, roundsOf, current });
  }
}

/** The SDK leaves out tools that its transport could not call. It gives up on long lists, which are read page by page. */
async function listTools(
  client: Client,
  most: number,
  options: CacheableRequestOptions,
): Promise<WholeList<Definition>> {
  try {
    const { tools } = await client.listTools(undefined, options);
    return await listAll("tools", most, async () => ({ items: tools }));
  } catch (error) {
    if (!(error instanceof SdkError) || error.code !== SdkErrorCode.ListPaginationExceeded) throw error;
  }
  return listAll("tools", most, async (cursor) => {
    const request = { method: "tools/list" as const, params: {} };
    const page = await (cursor === undefined
      ? client.request(request, options)
      : client.listTools({ cursor }, options));
    return { items: page.tools, nextCursor: page.nextCursor };
  });
}

/** What a result of this server holds for a model. */
export function readResult(result: CallToolResult, connection: Connection): ResultValue {
  const { attach = [] } = connection.options;
  return resultValue(result, { attach, hide: (text) => connection.hide(text) });
}

function sameDefinitions(a: ReadonlyMap<string, Definition>, b: ReadonlyMap<string, Definition>): boolean {
  return a.size === b.size && JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(definitions: ReadonlyMap<string, Definition>): Definition[] {
  return [...definitions.values()].sort((x, y) => (x.name < y.name ? -1 : 1));
}

const longestFailure = 20_000;
