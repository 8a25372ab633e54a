import type { ToolSpec } from "@cogency/protocol";
import { createRegistry, type Executor, type Registry } from "@cogency/tools";
import { clientTool } from "@cogency/tools/host";

/** What of a toolset other tools are added to. */
interface Offer {
  readonly registry: Registry;
  readonly runnable: readonly ToolSpec[];
  readonly offered: readonly ToolSpec[];
  readonly executor: Executor;
}

/** Adds the tools that a client brings to a toolset: the model is offered them, also where it searches the others. */
export type WithClientTools = <T extends Offer>(toolset: T, specs: readonly ToolSpec[]) => T;

/**
 * @param taken the names that none of them may have; one that has is left out. This agent could not have sent it, but another one
 * may have
 * @param warn called once for each name that is left out
 */
export function clientToolsets(
  taken: ReadonlySet<string>,
  executorOf: (registry: Registry) => Executor,
  warn: (message: string) => void,
): WithClientTools {
  const said = new Set<string>();
  const leaveOut = (name: string) => {
    if (said.has(name)) return;
    said.add(name);
    warn(`The client brings the tool ${name}, which is left out: the agent has one of that name.`);
  };
  return (toolset, specs) => {
    const { registry: others, runnable, offered } = toolset;
    for (const { name } of specs) if (taken.has(name)) leaveOut(name);
    const tools = specs.filter(({ name }) => !taken.has(name)).map(clientTool);
    const names = new Set(tools.map(({ name }) => name));
    const registry = createRegistry([...others.names().map((name) => others.get(name)), ...tools]);
    const added = tools.map(({ spec }) => spec);
    return {
      ...toolset,
      registry,
      runnable: [...runnable, ...added],
      // Where tools are searched, it may hold one of a source whose name the client has taken since.
      offered: [...offered.filter(({ name }) => !names.has(name)), ...added],
      executor: executorOf(registry),
    };
  };
}
