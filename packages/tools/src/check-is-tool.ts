import { isPromise } from "@cogency/async";
import { definitionError } from "./errors.ts";
import type { Tool } from "./tool.ts";
import { checkToolName } from "./tool-name.ts";
import { valueText } from "./value-text.ts";

/**
 * Refuses a value that is not a complete tool, before a call of it could fail in the middle of a run.
 *
 * @param index of the tool in its list, from 0
 * @throws ToolError `incomplete` with all missing parts, `invalid_name`, `reserved_name`
 */
export function checkIsTool(tool: unknown, index: number): asserts tool is Tool {
  if (typeof tool !== "object" || tool === null || Array.isArray(tool) || isPromise(tool)) {
    throw definitionError("incomplete", `no. ${index + 1}`, `it is ${kindOf(tool)}; give what defineTool makes.`);
  }
  const { name, spec, ...given } = tool as { readonly [part in keyof Tool]?: unknown };
  checkToolName(name as string);
  const own = isObject(spec) ? (spec as { readonly [part in keyof Tool["spec"]]?: unknown }) : undefined;
  const lacks = [
    typeof given.description !== "string" && "description",
    !own && "spec",
    own && typeof own.description !== "string" && "spec.description",
    own && !isObject(own.parameters) && "spec.parameters",
    !isObject(given.annotations) && "annotations",
    ...(["validate", "execute"] as const).map((part) => typeof given[part] !== "function" && part),
  ].filter((part) => typeof part === "string");
  const wrong = (["resource", "cautions", "verify", "brings", "reachesOut"] as const)
    .filter((part) => given[part] !== undefined && typeof given[part] !== "function")
    .map((part) => `${part} is ${valueText(given[part])}, not a function`);
  if (given.definedBy !== undefined && typeof given.definedBy !== "string")
    wrong.push(`definedBy is ${valueText(given.definedBy)}, not a text`);
  if (own && own.name !== name) wrong.push(`spec.name is ${valueText(own.name)}`);
  const problems = [...(lacks.length > 0 ? [`it lacks ${lacks.join(", ")}`] : []), ...wrong];
  if (problems.length === 0) return;
  throw definitionError("incomplete", name as string, `${problems.join("; ")}. Make it with defineTool.`);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "an array of tools, which must be spread";
  return isPromise(value) ? "a promise, which must be awaited" : valueText(value);
}
