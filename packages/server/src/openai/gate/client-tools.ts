import type { ToolSpec } from "@cogency/protocol";
import { unsupported, wrong } from "../wire-problem.ts";
import { type Fields, fieldOf, listAt, nameIn, objectAt, textIn, textOrNothing } from "./fields.ts";

/** Where the definition of a function stands: in a field of the tool (Chat Completions), or in the tool itself (Responses). */
export type ToolShape = "nested" | "flat";

/**
 * Reads the tools that a client brings, none of them if `tool_choice` is `none`. What their schemas hold is checked by the agent.
 *
 * @throws WireProblem for a tool that is no function, and a choice that no agent can be held to
 */
export function clientTools(body: Fields, shape: ToolShape): readonly ToolSpec[] {
  const choice = fieldOf(body, "tool_choice") ?? "auto";
  if (choice !== "auto" && choice !== "none")
    throw unsupported("tool_choice", 'the agent decides which tools it calls; give "auto" or "none"');
  const tools = listAt(fieldOf(body, "tools") ?? [], "tools").map((tool, index) =>
    toolAt(tool, `tools[${index}]`, shape),
  );
  const names = new Set<string>();
  for (const [index, { name }] of tools.entries()) {
    if (names.has(name)) throw wrong(`tools[${index}]`, "another tool has the same name");
    names.add(name);
  }
  return choice === "none" ? [] : tools;
}

function toolAt(value: unknown, param: string, shape: ToolShape): ToolSpec {
  const tool = objectAt(value, param);
  if (textIn(tool, "type", `${param}.`) !== "function")
    throw unsupported(`${param}.type`, "only tools of the type `function` can be brought; the agent has its own");
  const place = shape === "nested" ? `${param}.function` : param;
  const definition = shape === "nested" ? objectAt(tool.function, place) : tool;
  const name = nameIn(definition, `${place}.`);
  const parameters = fieldOf(definition, "parameters");
  return {
    name,
    description: textOrNothing(definition, "description", `${place}.`) ?? "",
    parameters:
      parameters === undefined ? nothing : (objectAt(parameters, `${place}.parameters`) as ToolSpec["parameters"]),
  };
}

const nothing = { type: "object", properties: {} } as const;
