import type { JsonObject } from "@cogency/protocol";
import { defineTool, type Tool, type ToolAnnotations } from "@cogency/tools";
import { schemaProblem } from "@cogency/tools/host";
import { plainJson } from "./plain-json.ts";

const functions = ["validate", "execute", "resource", "cautions", "verify", "brings", "reachesOut"] as const;
const values = ["name", "description", "timeout", "maxResultBytes", "approval", "asks", "grace"] as const;
const hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/** Characters of a description. The longest of the built-in tools has a quarter of it. */
const longestDescription = 8192;

/** A schema stands in every request. */
const schemaLimits = { depth: 32, values: 4000, text: 65_536 };

/**
 * A tool as an extension brings it: each part is read once and checked by the rules of `defineTool`, and what the model reads is a plain
 * frozen copy, so that nothing changes after it was looked at.
 *
 * @param claims whether the tool may say of itself that a call needs no question, or may run twice
 * @throws Error with what is wrong with it
 */
export function checkedTool(given: unknown, claims: boolean): Tool {
  if (typeof given !== "object" || given === null) throw new Error("it is no tool; make it with defineTool");
  const holder = given as Readonly<Record<string, unknown>>;
  const read = Object.fromEntries([...values, ...functions, "spec", "annotations"].map((name) => [name, holder[name]]));
  const { spec, annotations, validate, ...parts } = read;
  const lacking = ["validate", "execute"].filter((name) => typeof read[name] !== "function");
  if (typeof spec !== "object" || spec === null) lacking.push("spec");
  if (lacking.length > 0) throw new Error(`it lacks ${lacking.join(", ")}; make it with defineTool`);
  if (typeof parts.description === "string" && parts.description.length > longestDescription)
    throw new Error(`its description has more than ${longestDescription} characters, and stands in every request`);
  const defined = defineTool({
    ...withHolder(parts, given),
    input: checkedSchema((spec as { parameters?: unknown }).parameters),
    annotations: claimed(annotations, claims),
    ...(!claims && parts.approval === "allow" && { approval: undefined }),
  } as Parameters<typeof defineTool>[0]);
  // The tool's own check of arguments may know more than its JSON Schema says.
  return Object.freeze({ ...defined, validate: bound(given, validate) as Tool["validate"] });
}

function checkedSchema(given: unknown): JsonObject {
  const schema = plainJson(given, schemaLimits);
  const problem = schemaProblem(schema);
  if (problem !== undefined) throw new Error(`its schema is no JSON Schema: ${problem}`);
  return schema as JsonObject;
}

/** The parts that there are; functions keep the object that they belong to. */
function withHolder(parts: Readonly<Record<string, unknown>>, holder: object): object {
  const own = Object.entries(parts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    own.map(([name, value]) => [name, typeof value === "function" ? bound(holder, value) : value]),
  );
}

function bound(holder: object, call: unknown): (...args: unknown[]) => unknown {
  return (...args) => Reflect.apply(call as () => unknown, holder, args);
}

function claimed(given: unknown, claims: boolean): ToolAnnotations {
  if (typeof given !== "object" || given === null) return {};
  const all = Object.fromEntries(hints.map((name) => [name, (given as ToolAnnotations)[name]]));
  const told = Object.entries(all).filter(([, value]) => value !== undefined);
  const kept = claims ? told : told.filter(([name]) => name === "destructiveHint" || name === "openWorldHint");
  return Object.fromEntries(kept) as ToolAnnotations;
}
