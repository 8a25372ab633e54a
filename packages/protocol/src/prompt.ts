import type { Json, JsonObject, JsonSchema } from "./json.ts";
import { jsonText } from "./json-text.ts";
import { escapeMarkers } from "./markers.ts";
import { formatCalls, formatResults } from "./serialize.ts";
import type { ToolSpec } from "./tool.ts";

/**
 * The section of a system prompt that teaches the wire protocol and lists the bound tools. The same tools in the same
 * order give the same bytes, so that a provider's prompt cache can hold it.
 */
export function protocolPrompt(tools: readonly ToolSpec[], _options: { dialect: "json" }): string {
  const first = tools[0];
  const sections = [first ? [opening, acting(first, tools[1] ?? first)].join("\n\n") : opening, ending];
  if (first) sections.push(`## Tools\n\n${tools.map(described).join("\n")}`);
  else sections.push("## Tools\n\nNone. Answer in plain text.");
  return sections.join("\n\n");
}

const opening = `## Protocol

Text outside the markers below is your reply and is shown to the user as it is.

Before you reply you may reason in private:

<think>what is asked, what is known, what to do next</think>`;

function acting(one: ToolSpec, other: ToolSpec): string {
  const call = { name: one.name, args: exampleArgs(one.parameters) };
  const second = { name: other.name, args: exampleArgs(other.parameters) };
  return `To use a tool, write one block that holds a JSON array of calls, then stop and wait:

${formatCalls([call])}

Calls of one block run in parallel, except that calls on the same file or other resource run in the order you wrote them. Put independent calls into one block:

${formatCalls([call, second])}

A call that depends on the outcome of another belongs in a separate, later block. The system answers with one result per call, in the order of the calls; only the system writes this block:

${formatResults([
  { tool: one.name, status: "success", content: "what the tool returned" },
  { tool: other.name, status: "failure", content: "what went wrong" },
])}

Then go on: reason, call again, or reply. After a failure, correct the call or tell the user.

Rules for a block:
- It is strict JSON: double quotes, no comments, no trailing commas. Each call is an object with "name" and "args".
- Inside strings escape " as \\" and \\ as \\\\, and write a line break as \\n.
- A block that is not valid runs nothing, and you are told why.
- To mention a marker in a reply without acting on it, put it in backticks.`;
}

const ending = `When your reply is complete, write:

<end>`;

function described({ name, description, parameters }: ToolSpec): string {
  return `- ${name}: ${description.trim().replace(/\s*\n\s*/g, " ")}\n  parameters: ${escapeMarkers(jsonText(parameters as JsonObject))}`;
}

/** Plausible arguments for the examples: every required property, or the first one where none is required. */
function exampleArgs(parameters: JsonSchema): JsonObject {
  const properties = (parameters.properties ?? {}) as Record<string, JsonSchema>;
  const required = (parameters.required ?? []) as string[];
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, exampleValue(properties[name] ?? {})]));
}

function exampleValue(schema: JsonSchema): Json {
  const { type, enum: choices, const: constant, default: fallback } = schema as Record<string, Json>;
  if (constant !== undefined) return constant;
  if (Array.isArray(choices) && choices[0] !== undefined) return choices[0];
  if (fallback !== undefined) return fallback;
  switch (Array.isArray(type) ? type[0] : type) {
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return {};
    case "null":
      return null;
    default:
      return "example";
  }
}
