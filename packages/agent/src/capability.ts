import { anything, callback, checkOptions, listOf, name, required, text } from "@cogency/protocol/options";
import type { Content, Tool, ToolSource } from "@cogency/tools";
import { hooksOf } from "@cogency/tools/host";
import type { AgentOptions } from "./agent-options.ts";
import type { History } from "./history/history.ts";
import type { AgentHook } from "./hooks/agent-hook.ts";
import { hookPoints } from "./hooks/hook-points.ts";
import type { InstructionsOfRun } from "./instructions-of-run.ts";
import { contents, historyOption, sourcesOption } from "./options.ts";

/** Tools, hooks and instructions that belong together. `T` is the union of its tools. */
export interface Capability<T extends Tool = Tool> {
  /** An agent has each capability once. */
  readonly name: string;
  readonly tools?: readonly T[] | undefined;
  /** Where further tools come from, which may change between two steps. */
  readonly sources?: readonly ToolSource[] | undefined;
  readonly hooks?: readonly AgentHook[] | undefined;
  /** How requests show what its tools do; see `history` of the agent. It comes after the agent's own. */
  readonly history?: History | readonly History[] | undefined;
  /** They follow the instructions of the agent. */
  readonly instructions?: string | undefined;
  /** What they hold; see `instructionsHold` of the agent. */
  readonly instructionsHold?: readonly Content[] | undefined;
  /** What follows them in each run; see `instructionsOfRun` of the agent. */
  readonly instructionsOfRun?: InstructionsOfRun | undefined;
}

/**
 * The options of an agent with a capability.
 *
 * @param names those of the capabilities that the agent has
 * @throws TypeError for what is no capability, or for one that the agent has, or a tool of it that the agent has under that name
 */
export function withCapability(options: AgentOptions, names: readonly string[], capability: Capability): AgentOptions {
  checkCapability("use", capability);
  const {
    name: own,
    tools = [],
    sources = [],
    hooks = [],
    history = [],
    instructions,
    instructionsHold = [],
    instructionsOfRun = [],
  } = capability;
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
    ...(sources.length > 0 && { sources: [...(options.sources ?? []), ...sources] }),
    hooks: [...(options.hooks ?? []), ...hooks],
    history: [options.history ?? [], history].flat(),
    instructions: [options.instructions, instructions].filter(Boolean).join("\n\n"),
    instructionsHold: [...(options.instructionsHold ?? []), ...instructionsHold],
    instructionsOfRun: [options.instructionsOfRun ?? [], instructionsOfRun].flat(),
  };
}

/** @throws TypeError or RangeError that names the field */
function checkCapability(where: string, capability: unknown): asserts capability is Capability {
  checkOptions<Capability>(where, capability as Capability, {
    name: required(name),
    tools: listOf(anything, "an array of tools"),
    sources: sourcesOption,
    hooks: hooksOf(hookPoints),
    history: historyOption,
    instructions: text,
    instructionsHold: contents,
    instructionsOfRun: callback,
  });
}

/**
 * A capability that comes from elsewhere, such as from a module of somebody else: a copy, whose parts have been read once and cannot change
 * any more. Its tools are not checked; the agent checks each.
 *
 * @param where what the messages of errors begin with
 * @throws TypeError or RangeError that names the field, and what a getter of it throws
 */
export function copiedCapability(where: string, given: Capability): Capability {
  const { name: own, tools, sources, hooks, history, instructions, instructionsHold, instructionsOfRun } = given;
  const copy = {
    name: own,
    ...(tools !== undefined && { tools: Array.isArray(tools) ? [...tools] : tools }),
    ...(sources !== undefined && {
      sources: Array.isArray(sources) ? sources.map((one) => copied(one, partsOfSource)) : sources,
    }),
    ...(hooks !== undefined && { hooks: Array.isArray(hooks) ? hooks.map((one) => copied(one, partsOfHook)) : hooks }),
    ...(history !== undefined && { history: Array.isArray(history) ? [...history] : history }),
    ...(instructions !== undefined && { instructions }),
    ...(instructionsHold !== undefined && { instructionsHold }),
    ...(instructionsOfRun !== undefined && { instructionsOfRun: bound(instructionsOfRun, given) }),
  };
  checkCapability(where, given);
  checkCapability(where, copy);
  return Object.freeze({ ...copy, ...(instructionsHold && { instructionsHold: structuredClone(instructionsHold) }) });
}

/** What is no function is refused by the checks. */
function bound(method: InstructionsOfRun, owner: Capability): InstructionsOfRun {
  return typeof method === "function" ? method.bind(owner) : method;
}

/** Its methods keep the object that they belong to. */
function copied<Part extends AgentHook | ToolSource>(given: Part, parts: readonly string[]): Part {
  if (typeof given !== "object" || given === null) return given;
  const all = parts.map((part) => [part, given[part as keyof Part]] as const);
  const own = all.filter(([, value]) => value !== undefined);
  return Object.freeze(
    Object.fromEntries(own.map(([part, value]) => [part, typeof value === "function" ? value.bind(given) : value])),
  ) as unknown as Part;
}

const partsOfHook = ["name", "priority", ...hookPoints];
const partsOfSource = ["name", "tools", "ready", "notes"];
