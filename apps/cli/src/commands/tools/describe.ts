import type { JsonObject } from "@cogency/protocol";
import type { Tool } from "@cogency/tools";
import { put, putLine } from "../../base/terminal/output.ts";
import { oneLine, visible, wordWrapped } from "../../base/terminal/text.ts";
import { effectOf } from "./list-tools.ts";
import { type ToolsOptions, toolNamed, withTools } from "./with-tools.ts";

export interface DescribeOptions extends ToolsOptions {
  json?: true;
}

/**
 * `cogency tools describe`
 *
 * @throws UsageError for an unknown tool
 */
export async function describeTool(name: string, options: DescribeOptions): Promise<void> {
  await withTools(options, false, async (tools) => {
    const tool = toolNamed(name, tools);
    if (options.json) await putLine({ ...tool.spec, annotations: tool.annotations });
    else await put(described(tool));
  });
}

function described({ name, description, spec, annotations, approval }: Tool): string {
  const { properties = {}, required = [] } = spec.parameters as { properties?: JsonObject; required?: string[] };
  const hints = Object.entries(annotations).filter(([, isTrue]) => isTrue === true);
  const lines = [
    `${name}: ${effectOf({ annotations, approval } as Tool)}`,
    "",
    ...visible(description)
      .split("\n")
      .flatMap((line) => wordWrapped(line, width)),
    "",
    "arguments:",
    ...Object.entries(properties).flatMap(([key, schema]) =>
      argumentLines(key, schema as JsonObject, required.includes(key)),
    ),
    ...(Object.keys(properties).length === 0 ? ["  none"] : []),
    ...(hints.length > 0 ? ["", `annotations: ${hints.map(([hint]) => hint).join(", ")}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

const width = 80;

/** An argument, and indented below it the fields of its objects. */
function argumentLines(key: string, schema: JsonObject, isRequired: boolean, indent = "  "): string[] {
  const { default: fallback, description } = schema;
  const state = isRequired ? "required" : fallback === undefined ? "optional" : `${JSON.stringify(fallback)} if absent`;
  const text = typeof description === "string" ? visible(description) : "";
  return [
    `${indent}${key}  ${typeText(schema)}, ${state}`,
    ...(text === "" ? [] : wordWrapped(text, width - indent.length - 4).map((line) => `${indent}    ${line}`)),
    ...fieldsOf(schema).flatMap(([field, one, isNeeded]) => argumentLines(field, one, isNeeded, `${indent}    `)),
  ];
}

/** The fields of an object, or of the objects of a list, and whether each is required. */
function fieldsOf({
  items,
  properties,
  required,
}: JsonObject): [name: string, schema: JsonObject, isRequired: boolean][] {
  const inner = (items ?? { properties, required }) as { properties?: JsonObject; required?: string[] };
  return Object.entries(inner.properties ?? {}).map(([name, schema]) => {
    return [name, schema as JsonObject, inner.required?.includes(name) ?? false];
  });
}

/** `integer`, `"a" | "b"`, `string[]`; the JSON of anything else. */
function typeText(schema: JsonObject): string {
  const { type, enum: choices, items, anyOf } = schema;
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join(" | ");
  if (Array.isArray(anyOf)) return anyOf.map((one) => typeText(one as JsonObject)).join(" | ");
  if (type === "array") return `${typeText((items ?? {}) as JsonObject)}[]`;
  if (typeof type === "string") return type;
  return oneLine(JSON.stringify(schema), 60);
}
