import type { ToolSpec } from "@cogency/protocol";

/** A tool as the system prompt describes it. */
export interface OfferedTool {
  name: string;
  /** The names of its arguments; empty if the prompt shows no schema. */
  argumentNames: readonly string[];
}

/**
 * Reads the tools from the section `## Tools` of a system prompt: a list item `- name: description`, under it the JSON
 * Schema on a line `parameters: {…}`. Backticks, asterisks and indentation do not matter.
 */
export function offeredTools(system: string): ReadonlyMap<string, OfferedTool> {
  const tools = new Map<string, OfferedTool>();
  let last = "";
  for (const line of toolSection(system)) {
    const schema = parameters.exec(line)?.[1];
    const name = listItem.exec(line)?.[1];
    if (schema !== undefined) {
      if (tools.has(last)) tools.set(last, { name: last, argumentNames: propertyNames(schema) });
    } else if (name !== undefined) {
      last = name;
      tools.set(name, { name, argumentNames: [] });
    }
  }
  return tools;
}

/** The native tools of a request. */
export function toolsIn(specs: readonly ToolSpec[]): ReadonlyMap<string, OfferedTool> {
  return new Map(specs.map(({ name, parameters }) => [name, { name, argumentNames: propertiesOf(parameters) }]));
}

const listItem = /^\s*[-*]\s+[`*]*([A-Za-z_][A-Za-z0-9_-]*)[`*]*\s*:/;
const parameters = /^\s*(?:[-*]\s+)?[`*]*parameters[`*]*\s*:\s*`*(\{.*\})`*\s*$/i;

/** The last such section, because text that the prompt quotes from elsewhere comes before it. */
function toolSection(system: string): string[] {
  const lines = system.split(/\r?\n/);
  const heading = lines.findLastIndex((line) => /^#+\s*tools\s*:?\s*$/i.test(line));
  if (heading === -1) return [];
  const section = lines.slice(heading + 1);
  const end = section.findIndex((line) => /^#{1,2}\s/.test(line));
  return end === -1 ? section : section.slice(0, end);
}

function propertyNames(schema: string): string[] {
  try {
    return propertiesOf(JSON.parse(schema));
  } catch {
    return [];
  }
}

function propertiesOf({ properties }: { properties?: unknown }): string[] {
  return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
}
