import type { AgentHook } from "@cogency/agent";
import type { Provider, ThinkingLevel } from "@cogency/provider";
import { oneLine } from "../base/terminal/text.ts";

/** Why a level of thinking changes nothing here; undefined if the provider asks for it. */
export function thinkingProblem({ name, capabilities }: Provider): string | undefined {
  if (capabilities.thinking) return undefined;
  return `The provider ${oneLine(name, 60)} has no levels of thinking: --think changes nothing.`;
}

/**
 * Asks for the level as it is when a step begins, so that a change counts in a run that goes on.
 *
 * @param own that of the agent, which needs no hook
 */
export function thinkingHook(own: ThinkingLevel | undefined, now: () => ThinkingLevel | undefined): AgentHook {
  return {
    name: "thinking",
    beforeStep() {
      const thinking = now();
      return thinking === undefined || thinking === own ? undefined : { request: { thinking } };
    },
  };
}
