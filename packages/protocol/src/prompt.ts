import type { Json, JsonObject, JsonSchema } from "./json.ts";
import { jsonText } from "./json-text.ts";
import { escapeMarkers } from "./markers.ts";
import { type Dialect, formatCalls, formatResults } from "./serialize.ts";
import type { ToolSpec } from "./tool.ts";

/**
 * The section of a system prompt that teaches the wire protocol and lists the bound tools. The same tools in the same
 * order give the same bytes, so that a provider's prompt cache can hold it.
 */
export function protocolPrompt(tools: readonly ToolSpec[], { dialect }: { dialect: Dialect }): string {
  const [one, other = one] = tools;
  return [
    opening,
    one && other ? acting(one, other, dialect) : [],
    ending,
    `## Tools\n\n${tools.length > 0 ? tools.map(described).join("\n") : "None."}`,
  ]
    .flat()
    .join("\n\n");
}

const opening = `## Protocol

Text outside the markers below is your reply and is shown to the user as it is.

Before you reply you may reason in private:

<think>what is asked, what is known, what to do next</think>`;

function acting(one: ToolSpec, other: ToolSpec, dialect: Dialect): string {
  const { block, order, dependent, rules } = teaching[dialect];
  const call = { name: one.name, args: exampleArgs(one.parameters) };
  const second = { name: other.name, args: exampleArgs(other.parameters) };
  return `To use a tool, write one block that holds ${block}, then stop and wait:

${formatCalls([call], { dialect })}

Calls of one block run ${order}:

${formatCalls([call, second], { dialect })}

A call ${dependent} on the outcome of another belongs in a separate, later block. The system answers with one result per call, in the order of the calls; only the system writes this block:

${formatResults([
  { tool: one.name, status: "success", content: "what the tool returned" },
  { tool: other.name, status: "failure", content: "what went wrong" },
])}

Then go on. After a failure, correct the call or tell the user.

Rules for a block:
- ${rules}
- A block that is not valid runs nothing, and you are told why.
- To mention a marker in a reply without acting on it, put it in backticks.`;
}

/** What differs between the dialects. */
const teaching = {
  json: {
    block: "a JSON array of calls",
    order:
      "in parallel, except that calls on the same file or other resource run in the order you wrote them. Put independent calls into one block",
    dependent: "that depends",
    rules: `It is strict JSON: double quotes, no comments, no trailing commas. Each call is an object with "name" and "args".
- Inside strings escape " as \\" and \\ as \\\\, and write a line break as \\n.`,
  },
  xml: {
    block: "the calls, each an element named after the tool that holds an element per argument",
    order: "one after another in the order you wrote them",
    dependent: "whose arguments depend",
    rules: `Tags are exact: no attributes, no argument twice.
- Values are raw text: nothing is escaped, and entities such as &lt; are not decoded. Write numbers, booleans, arrays and objects as JSON.
- One line break beside each tag of an argument is layout, not part of the value.`,
  },
};

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
  const [first, kind] = [choices, type].map((value) => (Array.isArray(value) ? value[0] : value));
  const given = [constant, first, fallback].find((value) => value !== undefined);
  if (given !== undefined) return given;
  return typeof kind === "string" && kind in examples ? examples[kind as keyof typeof examples] : "example";
}

const examples = { integer: 1, number: 1, boolean: true, array: [], object: {}, null: null };
