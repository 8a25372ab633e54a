import type { ToolSpec } from "@cogency/protocol";
import { checkIsTool } from "./check-is-tool.ts";
import { shown } from "./check-options.ts";
import { ToolDefinitionError, UnknownToolError } from "./errors.ts";
import { nearestNames } from "./nearest-names.ts";
import type { Tool } from "./tool.ts";

/** The tools that one agent may call, by name. It never changes, so what the model is told stays true and cacheable. */
export interface Registry {
  has(name: string): boolean;
  /** @throws UnknownToolError with the names that look like it and those there are */
  get(name: string): Tool;
  /** In the order of registration. */
  names(): readonly string[];
  /** What the model is told, in the order of registration. */
  specs(): readonly ToolSpec[];
}

/**
 * @throws ToolDefinitionError at once for what is no tool or lacks parts of one, an ill-formed name or one that appears
 * twice; TypeError for what holds no tools
 */
export function createRegistry(tools: Iterable<Tool>): Registry {
  if (!isIterable(tools)) throw new TypeError(`createRegistry takes a list of tools, not ${shown(tools)}.`);
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    checkIsTool(tool, byName.size);
    if (byName.has(tool.name)) {
      throw new ToolDefinitionError("duplicate_name", tool.name, "two tools have this name; rename one of them.");
    }
    byName.set(tool.name, tool);
  }
  const names = Object.freeze([...byName.keys()]);
  const specs = Object.freeze([...byName.values()].map((tool) => tool.spec));
  return {
    has: (name) => byName.has(name),
    get(name) {
      const tool = byName.get(name);
      if (!tool) throw new UnknownToolError(name, nearestNames(name, names), names);
      return tool;
    },
    names: () => names,
    specs: () => specs,
  };
}

function isIterable(value: unknown): boolean {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}
