import { anything, checkOptions, listOf, name, required, text } from "@cogency/protocol/options";
import type { Content, Tool } from "@cogency/tools";
import { hooksOf } from "@cogency/tools/host";
import type { AgentOptions } from "./agent-options.ts";
import type { History } from "./history/history.ts";
import type { AgentHook } from "./hooks/agent-hook.ts";
import { hookPoints } from "./hooks/hook-points.ts";
import { contents, historyOption } from "./options.ts";

/** Tools, hooks and instructions that belong together. `T` is the union of its tools. */
export interface Capability<T extends Tool = Tool> {
  /** An agent has each capability once. */
  readonly name: string;
  readonly tools?: readonly T[] | undefined;
  readonly hooks?: readonly AgentHook[] | undefined;
  /** How requests show what its tools do; see `history` of the agent. It comes after the agent's own. */
  readonly history?: History | readonly History[] | undefined;
  /** They follow the instructions of the agent. */
  readonly instructions?: string | undefined;
  /** What they hold; see `instructionsHold` of the agent. */
  readonly instructionsHold?: readonly Content[] | undefined;
}

/**
 * The options of an agent with a capability.
 *
 * @param names those of the capabilities that the agent has
 * @throws TypeError for what is no capability, or for one that the agent has, or a tool of it that the agent has under that name
 */
export function withCapability(options: AgentOptions, names: readonly string[], capability: Capability): AgentOptions {
  checkOptions<Capability>("use", capability, {
    name: required(name),
    tools: listOf(anything, "an array of tools"),
    hooks: hooksOf(hookPoints),
    history: historyOption,
    instructions: text,
    instructionsHold: contents,
  });
  const { name: own, tools = [], hooks = [], history = [], instructions, instructionsHold = [] } = capability;
  if (names.includes(own)) throw new TypeError(`The agent has the capability ${JSON.stringify(own)} already.`);
  const known = new Set(options.tools?.map((tool) => tool.name));
  const twice = tools.find((tool) => known.has(tool.name));
  if (twice) {
    throw new TypeError(
      `The capability ${JSON.stringify(own)} brings a tool named ${twice.name}, and the agent has one of that name. Rename one.`,
    );
  }
  return {
    ...options,
    tools: [...(options.tools ?? []), ...tools],
    hooks: [...(options.hooks ?? []), ...hooks],
    history: [options.history ?? [], history].flat(),
    instructions: [options.instructions, instructions].filter(Boolean).join("\n\n"),
    instructionsHold: [...(options.instructionsHold ?? []), ...instructionsHold],
  };
}
