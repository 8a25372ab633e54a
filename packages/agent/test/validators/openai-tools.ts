import { addNew, demand, fieldsIn, listIn, matching, textIn } from "./problem.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The tools of a request, and the choice of them, on both wires of OpenAI. */
export interface ToolRules {
  /** Where a tool or a choice holds the function that it is of; undefined if it is that function itself. */
  inner: "function" | undefined;
  needsParameters: boolean;
}

export const toolName = /^[a-zA-Z0-9_-]{1,64}$/;

/** Where a picture or a file is: on the web, or in the address itself. */
export const address = /^(https?:\/\/.|data:\w+\/[\w.+-]+;base64,[A-Za-z0-9+/]+={0,2}$)/;

/** Checks `tools` and `tool_choice` of a body. */
export function checkTools({ tools, tool_choice }: Fields, rules: ToolRules): void {
  const names = tools === undefined ? undefined : toolNames(tools, rules);
  if (tool_choice !== undefined) checkChoice(tool_choice, names, rules);
}

function toolNames(tools: unknown, rules: ToolRules): Set<string> {
  const names = new Set<string>();
  for (const [at, tool] of listIn(tools, "tools").entries()) {
    const place = `tools[${at}]`;
    const fields = fieldsIn(tool, place);
    demand(fields.type === "function", `${place}.type is not "function".`);
    const { name, parameters } = functionIn(fields, rules, place);
    addNew(names, matching(name, toolName, `${place}.name`), place);
    if (rules.needsParameters || parameters !== undefined) fieldsIn(parameters, `${place}.parameters`);
  }
  return names;
}

function checkChoice(choice: unknown, names: Set<string> | undefined, rules: ToolRules): void {
  demand(names !== undefined, "tool_choice is only allowed when tools are specified.");
  if (typeof choice === "string") {
    demand(["none", "auto", "required"].includes(choice), `tool_choice is ${JSON.stringify(choice)}.`);
    return;
  }
  const { name } = functionIn(fieldsIn(choice, "tool_choice"), rules, "tool_choice");
  demand(names.has(textIn(name, "tool_choice.name")), "tool_choice names no tool.");
}

function functionIn(fields: Fields, { inner }: ToolRules, place: string): Fields {
  return inner === undefined ? fields : fieldsIn(fields[inner], `${place}.${inner}`);
}
