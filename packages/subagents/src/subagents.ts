import type { Capability } from "@cogency/agent";
import { childrenInBackground } from "@cogency/agent/child";
import type { AgentHook } from "@cogency/agent/hooks";
import { anything, checkOption, checkOptions, listOf, required, whole } from "@cogency/protocol/options";
import type { Tool } from "@cogency/tools";
import type { AgentDefinition } from "./agent-definition.ts";
import { agentTool, resultTool } from "./agent-tool.ts";
import { checkDefinition } from "./check-definition.ts";
import { Places } from "./places.ts";

export interface SubagentsOptions {
  /** How deep agents may stand below the first one, which is at depth 0. Defaults to 3. */
  readonly maxDepth?: number | undefined;
  /** How many agents of one conversation may work in the background at the same time. Defaults to 8. */
  readonly maxInBackground?: number | undefined;
  /**
   * How many agents of one conversation may work at the same time at each depth while their callers wait. More of them wait for their turn.
   * Defaults to 20.
   */
  readonly maxAtOnce?: number | undefined;
}

/**
 * Agents to which the model gives work, as a capability of an agent: `createAgent(…).use(subagents(definitions))`. The model starts
 * them with the tool `agent`, and reads the answer of one in the background with `agent_result`.
 *
 * @param definitions of those with one name the first counts
 * @throws TypeError for an unknown field, or one of a wrong type; RangeError for a malformed name
 */
export function subagents(
  definitions: readonly AgentDefinition[],
  options: SubagentsOptions = {},
): Capability<Tool<"agent"> | Tool<"agent_result">> {
  checkOption("subagents", "definitions", definitions, required(listOf(anything, "an array of definitions")));
  checkOptions<SubagentsOptions>("subagents", options, {
    maxDepth: whole(0, 100),
    maxInBackground: whole(0, 1000),
    maxAtOnce: whole(1, 1000),
  });
  const { maxDepth = 3, maxInBackground = 8, maxAtOnce = 20 } = options;
  const agents = new Map<string, AgentDefinition>();
  for (const definition of definitions) {
    checkDefinition(definition);
    if (!agents.has(definition.name)) agents.set(definition.name, definition);
  }
  if (agents.size === 0) return { name: "subagents" };
  /** Those of a batch that has begun do not stand in what it knows of the log. */
  const begun = new WeakMap<object, number>();
  const mayWait = ({ state: { events } }: { state: Parameters<typeof inBackground>[0] }) => {
    const already = begun.get(events) ?? 0;
    if (inBackground({ events }).length + already >= maxInBackground) return false;
    begun.set(events, already + 1);
    return true;
  };
  return {
    name: "subagents",
    tools: [agentTool({ agents, maxDepth, mayWait, places: new Places(maxAtOnce) }), resultTool(agents, maxDepth)],
    hooks: [reminder()],
    // The prompt has the descriptions of all.
    instructionsHold: definitions.flatMap(({ holds = [] }) => holds),
  };
}

/**
 * Tells the model at the beginning of a run of agents in the background: those of a process that has died go on only if it asks. Before the
 * first step and not before the run, because messages that came meanwhile say which of them have ended.
 */
function reminder(): AgentHook {
  const begun = new Set<string>();
  const nameOf = ({ conversation, user }: { conversation: string; user: string | undefined }) =>
    JSON.stringify([conversation, user]);
  return {
    name: "subagents",
    beforeRun: (context) => void begun.add(nameOf(context)),
    beforeStep(context) {
      if (!begun.delete(nameOf(context))) return undefined;
      const open = inBackground(context.state);
      if (open.length === 0) return undefined;
      const notify = `Agents in the background whose end is not known here: ${open.join(", ")}. They work, or their process has ended: \`agent_result\` waits for one, or goes on with it.`;
      return { notify };
    },
    afterRun: (context) => void begun.delete(nameOf(context)),
  };
}

function inBackground({ events }: { readonly events: Parameters<typeof childrenInBackground>[0] }): string[] {
  return childrenInBackground(events);
}
