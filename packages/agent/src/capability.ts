import { nearestNames, type Tool } from "@cogency/tools";
import type { AgentOptions } from "./agent-options.ts";
import type { AgentHook } from "./hooks/agent-hook.ts";
import { checkHooks } from "./hooks/check-hooks.ts";

/** Tools, hooks and instructions that belong together. `T` is the union of its tools. */
export interface Capability<T extends Tool = Tool> {
  /** An agent has each capability once. */
  readonly name: string;
  readonly tools?: readonly T[] | undefined;
  readonly hooks?: readonly AgentHook[] | undefined;
  /** They follow the instructions of the agent. */
  readonly instructions?: string | undefined;
}

/**
 * The options of an agent with a capability.
 *
 * @param names those of the capabilities that the agent has
 * @throws TypeError for what is no capability, or for one that the agent has, or a tool of it that the agent has under that name
 */
export function withCapability(options: AgentOptions, names: readonly string[], capability: Capability): AgentOptions {
  check(capability);
  const { name, tools = [], hooks = [], instructions } = capability;
  if (names.includes(name)) throw new TypeError(`The agent has the capability ${JSON.stringify(name)} already.`);
  const known = new Set(options.tools?.map((tool) => tool.name));
  const twice = tools.find((tool) => known.has(tool.name));
  if (twice) {
    throw new TypeError(
      `The capability ${JSON.stringify(name)} brings a tool named ${twice.name}, and the agent has one of that name. Rename one.`,
    );
  }
  return {
    ...options,
    tools: [...(options.tools ?? []), ...tools],
    hooks: [...(options.hooks ?? []), ...hooks],
    instructions: [options.instructions, instructions].filter(Boolean).join("\n\n"),
  };
}

const fields: readonly (keyof Capability)[] = ["name", "tools", "hooks", "instructions"];

function check(capability: unknown): asserts capability is Capability {
  if (typeof capability !== "object" || capability === null) {
    throw new TypeError("`use` takes a capability: an object with a name, tools, hooks or instructions.");
  }
  const { name, tools, hooks, instructions } = capability as Capability;
  if (typeof name !== "string" || name === "") throw new TypeError("The capability has no name; give one.");
  const where = `of the capability ${JSON.stringify(name)}`;
  const unknown = Object.keys(capability).find((field) => !fields.some((known) => known === field));
  if (unknown !== undefined) {
    const [nearest] = nearestNames(unknown, fields);
    const guess = nearest === undefined ? "" : `did you mean \`${nearest}\`? `;
    throw new TypeError(`\`${unknown}\` is no part ${where}: ${guess}Its parts are ${fields.join(", ")}.`);
  }
  if (tools !== undefined && !Array.isArray(tools)) throw new TypeError(`The tools ${where} are no array.`);
  if (instructions !== undefined && typeof instructions !== "string") {
    throw new TypeError(`The instructions ${where} are no string.`);
  }
  if (hooks !== undefined) checkHooks(hooks, `${name}.hooks`);
}
