import type { JsonObject } from "@cogency/protocol";
import { type Tool, type ToolContext, withAttachments } from "@cogency/tools";
import type { CallToolResult, Client, Tool as Definition } from "@modelcontextprotocol/client";
import type { Connection } from "../connection/connection.ts";
import { McpError } from "../errors.ts";
import type { InputRounds } from "../questions/input-rounds.ts";
import { plainText } from "../text/plain-text.ts";
import { callTool } from "./call-tool.ts";
import { isSameDefinition } from "./definition-text.ts";
import { type ListedTools, listTools } from "./list-tools.ts";
import { offeredTools } from "./offered-tools.ts";
import { type ResultValue, resultValue } from "./result-value.ts";
import { type MadeTool, serverTool } from "./server-tool.ts";

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
  /** What was made of each definition. */
  private readonly made = new WeakMap<Definition, MadeTool>();
  private hasHeaders = false;

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
    const { server } = connection;
    const listed = client.getServerCapabilities()?.tools
      ? await listTools(client, { server, most: limits.items, timeout: timeouts.connect })
      : { definitions: [], problems: [] };
    this.hasHeaders = connection.options.connector.kind === "http" && client.getProtocolEra() === "modern";
    this.use(listed);
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

  private use({ definitions, problems }: ListedTools): void {
    const { connection, asks } = this.options;
    const { server, options, settings } = connection;
    const made = offeredTools(
      definitions.map((definition) => this.known(definition)),
      {
        server,
        options,
        hide: (text) => connection.hide(text),
        hasHeaders: this.hasHeaders,
        make: (name, definition) => {
          const before = this.made.get(definition);
          if (before?.tool.name === name) return before;
          const tool = serverTool({
            server,
            name,
            definition,
            options,
            hide: (text) => connection.hide(text),
            description: settings.limits.description,
            timeout: settings.timeouts.total + settings.timeouts.silence + 1000,
            asks,
            execute: (args, context) => this.execute(definition, args, context),
          });
          this.made.set(definition, tool);
          return tool;
        },
      },
    );
    const isSame =
      made.tools.length === this.offered.length && made.tools.every((tool, index) => tool === this.offered[index]);
    this.definitions = made.definitions;
    this.offered = isSame ? this.offered : Object.freeze([...made.tools]);
    connection.setProblems("tools", [...problems, ...made.problems]);
    connection.show({ tools: this.offered.map(({ name }) => name) });
  }

  /** The definition as it was listed before, if it has not changed. */
  private known(definition: Definition): Definition {
    const before = this.definitions.get(definition.name);
    return before && isSameDefinition(before, definition) ? before : definition;
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

/** What a result of this server holds for a model. */
export function readResult(result: CallToolResult, connection: Connection): ResultValue {
  const { attach = [] } = connection.options;
  return resultValue(result, { attach, hide: (text) => connection.hide(text) });
}

const longestFailure = 20_000;
