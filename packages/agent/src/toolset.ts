import type { ToolSpec } from "@cogency/protocol";
import { createRegistry, defineTool, type Executor, type Registry, type Tool } from "@cogency/tools";
import type { AgentOptions } from "./agent-options.ts";
import { offeredTools } from "./offered-tools.ts";
import { type SearchOpening, searchNames, type ToolFinder } from "./search/tool-finder.ts";
import { clientToolsets, type WithClientTools } from "./sources/client-toolset.ts";
import { SourceTools } from "./sources/source-tools.ts";

/** The tools of an agent as a step has them. */
export interface Toolset {
  readonly registry: Registry;
  /** The tools that can run. */
  readonly runnable: readonly ToolSpec[];
  /** The tools that are offered to the model. */
  readonly offered: readonly ToolSpec[];
  readonly executor: Executor;
  /** Finds the other tools; undefined if the model is offered all that can run. */
  readonly finder: ToolFinder | undefined;
}

/** Makes the toolset of a step of an agent with sources. */
export interface ChangingToolset {
  readonly sources: SourceTools;
  /** @param search as the run began with it; undefined in its first step */
  toolsetOf(tools: readonly Tool[], search: SearchOpening | undefined): Toolset;
}

/** The tools of an agent as a run begins with them: its own ones, and where the others come from. */
export interface RunToolset extends Toolset {
  /** Undefined for an agent without sources: its toolset never changes. */
  readonly changing: ChangingToolset | undefined;
  /** The names of its own tools, which no other may have. */
  readonly taken: ReadonlySet<string>;
  readonly withClient: WithClientTools;
}

export interface Toolsets {
  /** For runs in which every tool may run. */
  readonly all: RunToolset;
  /** For runs that nobody answers for: without the tools whose every call would need approval. The first call may warn. */
  alone(): RunToolset;
}

/** @throws ToolError; TypeError where the tools do not fit the search, or two sources have one name */
export function toolsetsOf(options: AgentOptions, executorOf: (registry: Registry) => Executor): Toolsets {
  const { tools: own = [], toolSearch, hooks = [], warn = console.warn } = options;
  const execution = { ...options.execution, hooks: [...hooks, ...(options.execution?.hooks ?? [])] };
  const said = new Set<string>();
  const allOf = (tools: readonly Tool[], search?: SearchOpening): Toolset => {
    const registry = createRegistry(tools);
    const finder = toolSearch?.over(tools, search);
    return setOf(tools, registry, registry.specs(), finder);
  };
  const setOf = (
    tools: readonly Tool[],
    known: Registry,
    runnable: readonly ToolSpec[],
    finder: ToolFinder | undefined,
  ): Toolset => {
    const registry = finder ? createRegistry([defineTool(finder.definition(runnable)), ...tools]) : known;
    const offered = finder ? finder.offered(registry.specs()) : registry.specs();
    return { registry, runnable, offered, executor: executorOf(registry), finder };
  };
  const aloneOf = (tools: readonly Tool[], all: Toolset): Toolset => {
    const runnable = offeredTools(all.registry, execution, warn, said);
    if (runnable === all.registry.specs()) return all;
    const { finder } = all;
    // Its search finds less. No batch notices that it is another executor: executors share nothing between batches.
    if (!finder) return { ...all, runnable, offered: runnable };
    return { ...setOf(tools, all.registry, runnable, finder), offered: finder.offered(runnable) };
  };
  const taken = new Set([...createRegistry(own).names(), ...(toolSearch ? searchNames : [])]);
  const withClient = clientToolsets(taken, executorOf, warn);
  const sources = sourceToolsOf(options, taken);
  const search: SearchOpening | undefined = sources && {};
  const changing = (make: ChangingToolset["toolsetOf"]): ChangingToolset | undefined =>
    sources && { sources, toolsetOf: lastKept((tools, opening) => make([...own, ...tools], opening ?? search)) };
  const all = { ...allOf(own, search), changing: changing(allOf), taken, withClient };
  let alone: RunToolset | undefined;
  return {
    all,
    alone() {
      alone ??= {
        ...aloneOf(own, all),
        changing: changing((tools, opening) => aloneOf(tools, allOf(tools, opening))),
        taken,
        withClient,
      };
      return alone;
    },
  };
}

function sourceToolsOf(options: AgentOptions, taken: ReadonlySet<string>): SourceTools | undefined {
  const { sources = [], warn = console.warn } = options;
  if (sources.length === 0) return undefined;
  const names = sources.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new TypeError(`Two tool sources are named ${JSON.stringify(twice)}. Rename one.`);
  return new SourceTools(sources, taken, warn);
}

/** Gives the last toolset again for the same tools: of all runs that begin. A run keeps its own. */
function lastKept(make: ChangingToolset["toolsetOf"]): ChangingToolset["toolsetOf"] {
  let last: { tools: readonly Tool[]; toolset: Toolset } | undefined;
  return (tools, search) => {
    if (search?.offered) return make(tools, search);
    if (last?.tools !== tools) last = { tools, toolset: make(tools, search) };
    return last.toolset;
  };
}
