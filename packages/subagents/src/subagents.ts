import type { Capability } from "@cogency/agent";
import type { Tool } from "@cogency/tools";
import type { AgentDefinition } from "./agent-definition.ts";

export interface SubagentsOptions {
  /** How deep agents may stand below the first one, which is at depth 0. Defaults to 3. */
  readonly maxDepth?: number | undefined;
  /** How many agents of one conversation may work in the background at the same time. Defaults to 8. */
  readonly maxInBackground?: number | undefined;
}

/**
 * Agents to which the model gives work, as a capability of an agent: `createAgent(…).use(subagents(definitions))`. The model calls
 * them with the tool `agent`.
 *
 * @param definitions of those with one name the first counts
 */
export function subagents(
  definitions: readonly AgentDefinition[],
  options: SubagentsOptions = {},
): Capability<Tool<"agent">> {
  void options;
  if (definitions.length === 0) return { name: "subagents" };
  throw new Error("subagents() is not built yet.");
}
