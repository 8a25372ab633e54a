import { env } from "node:process";
import type { JsonObject } from "@cogency/protocol";
import type { Tool } from "@cogency/tools";

export interface NamedCall {
  name: string;
  arguments?: JsonObject;
}

export interface ToolCall {
  tool: Tool;
  args: JsonObject;
}

/** The calls of a scenario: those that the suite names, those that it describes in its text, else one of the first tool. */
export function callsOf(named: readonly NamedCall[] | undefined, offered: readonly Tool[], prefix: string): ToolCall[] {
  const tool = (name: string) => offered.find((each) => each.name === prefix + name);
  if (named) return named.flatMap((call) => toCall(tool(call.name), call.arguments ?? {}));
  switch (env.MCP_CONFORMANCE_SCENARIO) {
    case "sep-2322-client-request-state":
      return offered.flatMap((each) => toCall(each, {}));
    case "json-schema-2020-12-preservation": {
      const schema = tool("json_schema_2020_12_tool")?.spec.parameters as JsonObject;
      return toCall(tool("json_schema_echo"), { schema });
    }
    default:
      return toCall(offered[0], { a: 2, b: 3 });
  }
}

function toCall(tool: Tool | undefined, args: JsonObject): ToolCall[] {
  return tool ? [{ tool, args }] : [];
}
