import type { Json, JsonObject, JsonSchema } from "@cogency/protocol";
import { defineTool, type Tool, type ToolContext } from "@cogency/tools";
import { withoutCostly } from "@cogency/tools/host";
import type { Tool as Definition } from "@modelcontextprotocol/client";
import type { McpServerOptions } from "../mcp-options.ts";
import { oneLine, plainJson, plainText } from "../text/plain-text.ts";
import { fits, fitsAny } from "./patterns.ts";

export interface ServerToolSetup {
  readonly server: string;
  /** What the model calls it. */
  readonly name: string;
  readonly definition: Definition;
  readonly options: McpServerOptions;
  /** Characters of the description. */
  readonly description: number;
  /** Milliseconds for one call, in all. */
  readonly timeout: number;
  /** Whether the server may ask the person in the middle of a call. */
  readonly asks: boolean;
  /** Takes secrets of the host out of a text. */
  hide(text: string): string;
  execute(args: JsonObject, context: ToolContext): Promise<unknown>;
}

export interface MadeTool {
  readonly tool: Tool;
  /** What was changed, a sentence each. */
  readonly problems: readonly string[];
}

/**
 * A tool of a server as the agent has it. What the server claims about it may make its calls ask more, never less.
 *
 * @throws ToolError for a schema that cannot be applied
 */
export function serverTool(setup: ServerToolSetup): MadeTool {
  const { server, name, definition, options, timeout, asks, hide, execute } = setup;
  const { annotations = {} } = definition;
  const isVouchedFor = fitsAny(options.readOnly ?? [], definition.name);
  const approval = approvalOf(options, definition.name) ?? (isVouchedFor ? undefined : "ask");
  const described = descriptionOf(setup);
  const schema = plainJson(definition.inputSchema as Json, hide);
  const shown = JSON.stringify(oneLine(definition.name, 60));
  const tool = defineTool({
    name,
    definedBy: options.connector.identity,
    description: described.text,
    input: { ...(withoutCostly(schema.value) as JsonSchema), type: "object" },
    execute: (args, context) => execute(args as JsonObject, context),
    annotations: {
      openWorldHint: true,
      ...(isVouchedFor && { readOnlyHint: true }),
      ...(annotations.destructiveHint === true && !isVouchedFor && { destructiveHint: true }),
      ...(annotations.idempotentHint === true && { idempotentHint: true }),
    },
    approval,
    timeout,
    ...(asks && { asks }),
    brings: () => [{ holds: "untrusted", source: `${server} (MCP server)` }],
    reachesOut: () => true,
  });
  const hiding = `The schema of the tool ${shown} held ${schema.hidden} characters that no screen shows. They are gone.`;
  return { tool: tool as Tool, problems: [...described.problems, ...(schema.hidden > 0 ? [hiding] : [])] };
}

function approvalOf({ approval = {} }: McpServerOptions, tool: string): "allow" | "ask" | "deny" | undefined {
  return Object.entries(approval).find(([pattern]) => fits(pattern, tool))?.[1];
}

function descriptionOf({ server, definition, description: most, hide }: ServerToolSetup) {
  const title = oneLine(hide(definition.title ?? definition.annotations?.title ?? ""), 100);
  const { text, hidden, isCut } = plainText(hide(definition.description ?? ""), most);
  const shown = JSON.stringify(oneLine(definition.name, 60));
  const problems = [
    ...(hidden > 0
      ? [`The description of the tool ${shown} held ${hidden} characters that no screen shows. They are gone.`]
      : []),
    ...(isCut ? [`The description of the tool ${shown} has more than ${most} characters. The rest is left out.`] : []),
  ];
  const said = text.trim();
  const whole = title === "" || said.startsWith(title) ? said : `${title}${said === "" ? "" : `: ${said}`}`;
  return { text: whole || `The tool ${shown} of the server ${server}, which says nothing about it.`, problems };
}
