import type { ToolSpec } from "@cogency/protocol";
import { createRegistry, defineTool, type Executor, type Registry } from "@cogency/tools";
import type { AgentOptions } from "./agent-options.ts";
import { offeredTools } from "./offered-tools.ts";
import type { ToolFinder } from "./search/tool-finder.ts";

/** The tools of an agent as a run has them. */
export interface Toolset {
  readonly registry: Registry;
  /** The tools that are offered to the model. */
  readonly offered: readonly ToolSpec[];
  readonly executor: Executor;
  /** Finds the other tools; undefined if the model is offered all that can run. */
  readonly finder: ToolFinder | undefined;
}

export interface Toolsets {
  /** For runs in which every tool may run. */
  readonly all: Toolset;
  /** For runs that nobody answers for: without the tools whose every call would need approval. The first call may warn. */
  alone(): Toolset;
}

/** @throws ToolError; TypeError where the tools do not fit the search */
export function toolsetsOf(options: AgentOptions, executorOf: (registry: Registry) => Executor): Toolsets {
  const { tools = [], toolSearch, hooks = [], warn = console.warn } = options;
  const execution = { ...options.execution, hooks: [...hooks, ...(options.execution?.hooks ?? [])] };
  const own = createRegistry(tools);
  const finder = toolSearch?.over(tools);
  const setOf = (found: readonly ToolSpec[]): Toolset => {
    const registry = finder ? createRegistry([defineTool(finder.definition(found)), ...tools]) : own;
    const offered = finder ? finder.offered(registry.specs()) : registry.specs();
    return { registry, offered, executor: executorOf(registry), finder };
  };
  const all = setOf(own.specs());
  let alone: Toolset | undefined;
  const aloneOf = (runnable: readonly ToolSpec[]): Toolset => {
    if (runnable === all.registry.specs()) return all;
    // Its search finds less. No batch notices that it is another executor: executors share nothing between batches.
    return finder ? { ...setOf(runnable), offered: finder.offered(runnable) } : { ...all, offered: runnable };
  };
  return {
    all,
    alone() {
      alone ??= aloneOf(offeredTools(all.registry, execution, warn));
      return alone;
    },
  };
}
