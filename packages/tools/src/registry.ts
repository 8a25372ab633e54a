import type { ToolSpec } from "@cogency/protocol";
import { nearestNames } from "@cogency/protocol/options";
import { checkIsTool } from "./check-is-tool.ts";
import { definitionError, unknownToolError } from "./errors.ts";
import type { Tool } from "./tool.ts";
import { valueText } from "./value-text.ts";

/** The tools that one agent may call, by name. It never changes, so requests to the model stay cacheable. */
export interface Registry {
  has(name: string): boolean;
  /** @throws ToolError `unknown_tool` with similar names and all names */
  get(name: string): Tool;
  /** In the order of registration. */
  names(): readonly string[];
  /** The descriptions that the model reads, in the order of registration. */
  specs(): readonly ToolSpec[];
}

/**
 * Makes a registry of tools.
 *
 * @throws ToolError for an incomplete tool, a malformed name or one that appears twice; TypeError unless `tools` is
 * iterable
 */
export function createRegistry(tools: Iterable<Tool>): Registry {
  if (!isIterable(tools)) throw new TypeError(`createRegistry takes a list of tools, not ${valueText(tools)}.`);
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    checkIsTool(tool, byName.size);
    if (byName.has(tool.name)) {
      throw definitionError("duplicate_name", tool.name, "two tools have this name; rename one of them.");
    }
    byName.set(tool.name, tool);
  }
  const names = Object.freeze([...byName.keys()]);
  const specs = Object.freeze([...byName.values()].map((tool) => tool.spec));
  return {
    has: (name) => byName.has(name),
    get(name) {
      const tool = byName.get(name);
      if (!tool) throw unknownToolError(name, nearestNames(name, names), names);
      return tool;
    },
    names: () => names,
    specs: () => specs,
  };
}

function isIterable(value: unknown): boolean {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}
