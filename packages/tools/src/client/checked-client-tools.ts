import type { Json, JsonSchema, ToolSpec } from "@cogency/protocol";
import { clipped, shown, wrongOption } from "@cogency/protocol/options";
import { isToolError, ToolError } from "../errors.ts";
import { isPlainObject } from "../plain-object.ts";
import { utf8Length } from "../result/utf8-length.ts";
import { hostileIssue } from "../schema/hostile-arguments.ts";
import { schemaProblem } from "../schema/schema-problem.ts";
import { clientTool } from "./client-tool.ts";

/**
 * Reads the tools that a client brings: at most 128, of at most 256 kB of JSON together, each with a `name` that a tool may have
 * (`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`, no marker), a `description` and `parameters`, a JSON Schema whose root is an object, nested at most 64
 * levels deep. Other fields are left out.
 *
 * @param taken the names that the agent's own tools have
 * @returns copies, in their order
 * @throws TypeError and RangeError, which name the tool and what is wrong, and carry the `code` `invalid_option`; ToolError `name_taken`
 */
export function checkedClientTools(given: unknown, taken: ReadonlySet<string> = new Set()): ToolSpec[] {
  if (!Array.isArray(given))
    throw wrongOption(TypeError, "tools", `\`tools\` is ${shown(given)}; give an array of tools.`);
  if (given.length > mostTools)
    throw wrongOption(RangeError, "tools", `\`tools\` has ${given.length} tools; give at most ${mostTools}.`);
  const names = new Set<string>();
  let bytes = 0;
  return given.map((one: unknown, index) => {
    const place = `tools[${index}]`;
    const spec = checkedSpec(one, place);
    bytes += utf8Length(JSON.stringify(spec));
    if (bytes > mostBytes)
      throw wrongOption(
        RangeError,
        place,
        `\`tools\` has more than ${mostBytes} bytes of JSON, at ${shownTool(place, spec)}.`,
      );
    if (names.has(spec.name)) throw wrong(place, spec, "two tools have this name; rename one of them");
    names.add(spec.name);
    if (taken.has(spec.name)) throw takenError(spec.name);
    checkApplies(place, spec);
    return spec;
  });
}

const mostTools = 128;
const mostBytes = 256 * 1024;
/** Levels of the schema. */
const deepest = 64;
const longestName = 64;

function checkedSpec(given: unknown, place: string): ToolSpec {
  if (!isPlainObject(given)) throw wrongOption(TypeError, place, `${place} is ${shown(given)}; give a tool.`);
  const { name, description, parameters } = given as Readonly<Record<string, unknown>>;
  if (typeof name !== "string")
    throw wrongOption(TypeError, place, `${place} has the name ${shown(name)}; give a text.`);
  const named = { name };
  if (name.length > longestName) throw wrong(place, named, `its name has more than ${longestName} characters`);
  if (typeof description !== "string")
    throw wrong(place, named, `its \`description\` is ${shown(description)}; give a text`);
  if (!isPlainObject(parameters))
    throw wrong(place, named, `its \`parameters\` are ${shown(parameters)}; give JSON Schema`);
  const issue = hostileIssue(parameters, deepest);
  if (issue) {
    const where = issue.path === "" ? "" : ` at ${clipped(issue.path)}`;
    throw wrong(place, named, `its \`parameters\` are no JSON Schema${where}: ${issue.message}`);
  }
  const copy = { name, description: description.toWellFormed(), parameters: wellFormed(parameters) };
  const problem = schemaProblem(copy.parameters as Json);
  if (problem !== undefined) throw wrong(place, named, `its \`parameters\` are no JSON Schema: ${clipped(problem)}`);
  return copy;
}

function wellFormed(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema, (_, value) => (typeof value === "string" ? value.toWellFormed() : value)));
}

/** What a tool may be named, and whether the schema can be applied, is known where tools are made. */
function checkApplies(place: string, spec: ToolSpec): void {
  try {
    clientTool(spec);
  } catch (error) {
    if (!isToolError(error)) throw error;
    throw wrongOption(TypeError, place, `${place}: ${error.message.slice(0, 300).toWellFormed()}`);
  }
}

function wrong(place: string, tool: { name: string }, problem: string): Error {
  return wrongOption(TypeError, place, `${shownTool(place, tool)}: ${problem}.`);
}

function shownTool(place: string, { name }: { name: string }): string {
  return `${place}, the tool ${JSON.stringify(clipped(name))}`;
}

function takenError(tool: string): ToolError {
  const message = `The client brings a tool ${JSON.stringify(tool)}, which the agent has itself, and no client may stand in for it. Rename the client's tool.`;
  return new ToolError("name_taken", message, { tool });
}
