import type { ToolSpec } from "@cogency/protocol";
import { ToolDefinitionError, UnknownToolError } from "./errors.ts";
import { nearestNames } from "./nearest-names.ts";
import type { Tool } from "./tool.ts";
import { checkToolName } from "./tool-name.ts";

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

/** @throws ToolDefinitionError at once for an ill-formed name or one that appears twice */
export function createRegistry(tools: Iterable<Tool>): Registry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    checkToolName(tool.name);
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
