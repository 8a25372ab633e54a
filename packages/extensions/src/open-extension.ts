import type { Capability } from "@cogency/agent";
import { copiedCapability } from "@cogency/agent/hooks";
import { inTime } from "@cogency/async";
import { above, anything, checkOptions, flag, having, name, text } from "@cogency/protocol/options";
import type { Skill } from "@cogency/skills";
import type { Tool } from "@cogency/tools";
import { checkedCommand, checkedSkill } from "./checked-parts.ts";
import { checkedTool } from "./checked-tool.ts";
import type { Extension, ExtensionCommand, ExtensionFactory } from "./extension.ts";
import { checkedBy, isStandardSchema } from "./options-schema.ts";
import { type ExtensionProblem, reasonOf, Unusable } from "./problem.ts";

export interface OpenExtensionOptions {
  /** What the capability is called; an agent has each once. Defaults to `extension`. */
  name?: string | undefined;
  /** What its function gets, as JSON. Defaults to `{}`. */
  options?: unknown;
  /** The folder that the agent works in. */
  root?: string | undefined;
  /** The names of tools that none of its tools may have. */
  taken?: Pick<ReadonlySet<string>, "has"> | undefined;
  /**
   * Whether its tools may say of themselves that a call needs no question (`readOnlyHint`, `approval: "allow"`) or may run twice
   * (`idempotentHint`). Defaults to true.
   */
  claims?: boolean | undefined;
  /** Milliseconds that its function may take. Defaults to 10,000. */
  timeout?: number | undefined;
}

/** What an extension brings, as far as it can be used. */
export interface OpenedExtension {
  /** For `agent.use`; it has no tools, hooks and instructions if the extension brings none. */
  readonly capability: Capability;
  readonly skills: readonly Skill[];
  readonly commands: readonly ExtensionCommand[];
  /** Why it, or a part of it, is left out. */
  readonly problems: readonly ExtensionProblem[];
}

/**
 * Makes what a module exports usable by an agent. A fault of the module is a problem of the result, never an error, and the parts without
 * a fault are used. Only a hook or instructions that cannot be used make all of it unusable: its tools may count on them.
 *
 * @example
 * const { capability, problems } = await openExtension(await import("./deploy.ts"), { name: "deploy" });
 * const agent = createAgent({ provider }).use(capability);
 *
 * @param module what `import` gave, or its default export
 * @throws TypeError, RangeError only for options of its own that are wrong
 */
export async function openExtension(module: unknown, options: OpenExtensionOptions = {}): Promise<OpenedExtension> {
  checkOptions<OpenExtensionOptions>("openExtension", options, {
    name,
    options: anything,
    root: text,
    taken: having("a set of names", "has"),
    claims: flag,
    timeout: above(0, "milliseconds"),
  });
  const { name: own = "extension", taken = new Set(), claims = true } = options;
  try {
    const made = await madeBy(exportOf(module), options);
    return usable(made, { name: own, taken, claims });
  } catch (error) {
    const [code, message] =
      error instanceof Unusable ? [error.code, error.message] : ["export_unusable" as const, reasonOf(error)];
    return { capability: { name: own }, skills: [], commands: [], problems: [{ code, message }] };
  }
}

interface Exported {
  readonly value: unknown;
  readonly schema: unknown;
}

/** The default export, and the schema of its options: its own property, or the module's export `options`. */
function exportOf(module: unknown): Exported {
  const isModule =
    isObject(module) && ("default" in module || Object.prototype.toString.call(module) === "[object Module]");
  const outer: { readonly default?: unknown } = isModule ? module : { default: module };
  // A CommonJS module that was compiled from ESM holds its default export one level deeper.
  const inner = isObject(outer.default) && outer.default.__esModule === true ? outer.default : outer;
  const { default: value, options } = inner as { default?: unknown; options?: unknown };
  const own = typeof value === "function" ? (value as { options?: unknown }).options : undefined;
  return { value, schema: own ?? options };
}

async function madeBy(
  { value, schema }: Exported,
  { options = {}, root, timeout = 10_000 }: OpenExtensionOptions,
): Promise<unknown> {
  if (typeof value !== "function") {
    if (isObject(options) && Object.keys(options).length === 0) return value;
    throw new Unusable("options_invalid", "it takes no options, since it exports no function");
  }
  const late = () => new Unusable("timed_out", `it did not begin within ${timeout / 1000} s`);
  const given = await inTime(checkedOptions(schema, options), timeout, late);
  const make = value as ExtensionFactory<unknown>;
  try {
    return await inTime((async () => make(given, { root }))(), timeout, late);
  } catch (error) {
    if (error instanceof Unusable) throw error;
    throw new Unusable("factory_failed", `its function failed: ${reasonOf(error)}`);
  }
}

async function checkedOptions(schema: unknown, options: unknown): Promise<unknown> {
  if (!isStandardSchema(schema)) return options;
  const checked = await checkedBy(schema, options).catch((error) => ({ problem: reasonOf(error) }));
  if ("value" in checked) return checked.value;
  throw new Unusable("options_invalid", `its options are wrong: ${checked.problem}`);
}

/** Parts of each kind that one extension may bring. */
const mostParts = 128;

/** Characters; they stand in every request. */
const longestInstructions = 16_384;

function usable(
  made: unknown,
  { name: own, taken, claims }: { name: string; taken: Pick<ReadonlySet<string>, "has">; claims: boolean },
): OpenedExtension {
  const problems: ExtensionProblem[] = [];
  const { tools, hooks, instructions, instructionsHold, skills, commands } = partsOf(made);
  const capability = copied({ name: own, hooks, instructions, instructionsHold });
  if ((capability.instructions?.length ?? 0) > longestInstructions)
    throw new Unusable("instructions_invalid", `its instructions have more than ${longestInstructions} characters`);
  const partsFrom = <Part extends { readonly name: string }>(
    kind: "tool" | "skill" | "command",
    list: unknown,
    check: (part: unknown) => Part,
    isTaken: (name: string) => boolean = () => false,
  ): Part[] => {
    const found = new Map<string, Part>();
    for (const [index, part] of listOf(kind, list).entries()) {
      const label = `the ${kind} ${labelOf(part, index)}`;
      try {
        const one = check(part);
        if (isTaken(one.name) || found.has(one.name))
          problems.push({ code: "name_taken", message: `${label} is left out: another one has this name` });
        else found.set(one.name, one);
      } catch (error) {
        problems.push({ code: `${kind}_invalid`, message: `${label} is left out: ${toolReason(error)}` });
      }
    }
    return [...found.values()];
  };
  const usedTools: Tool[] = partsFrom(
    "tool",
    tools,
    (tool) => checkedTool(tool, claims),
    (one) => taken.has(one),
  );
  const usedSkills = partsFrom("skill", skills, checkedSkill);
  const usedCommands = partsFrom("command", commands, checkedCommand);
  return {
    capability: Object.freeze({ ...capability, ...(usedTools.length > 0 && { tools: usedTools }) }),
    skills: usedSkills,
    commands: usedCommands,
    problems,
  };
}

const fields = ["name", "tools", "hooks", "instructions", "instructionsHold", "skills", "commands"] as const;

/** Each part, read once. @throws Unusable for what is no extension, and for one that brings nothing */
function partsOf(made: unknown): Extension {
  if (Array.isArray(made)) return { tools: made };
  if (!isObject(made)) throw new Unusable("export_unusable", nothingUsable);
  if (typeof made.execute === "function") return { tools: [made as unknown as Tool] };
  const parts = Object.fromEntries(fields.map((field) => [field, made[field]])) as Extension;
  if (fields.slice(1).every((field) => parts[field] === undefined))
    throw new Unusable("export_unusable", nothingUsable);
  const unknown = Object.keys(made).find((key) => !fields.includes(key as (typeof fields)[number]));
  if (unknown !== undefined)
    throw new Unusable("export_unusable", `it has no part ${JSON.stringify(unknown.slice(0, 60))}; ${known}`);
  return parts;
}

const known = "an extension has tools, hooks, instructions, skills and commands";
const nothingUsable =
  "it exports by default no tool, no list of tools, no extension, and no function that makes one of these; write `export default defineTool({ … })`, or an object with `tools`";

function listOf(kind: string, list: unknown): readonly unknown[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw new Unusable("export_unusable", `its ${kind}s are no list`);
  if (list.length > mostParts) throw new Unusable("export_unusable", `it brings more than ${mostParts} ${kind}s`);
  return Array.from(list);
}

/** A guard that cannot be called, or instructions that cannot be read: the tools may count on them. */
function copied(capability: Capability): Capability {
  try {
    return copiedCapability("it", capability);
  } catch (error) {
    const reason = reasonOf(error);
    throw new Unusable(/instructions/.test(reason) ? "instructions_invalid" : "hook_invalid", reason);
  }
}

/** The name of a part, else its place; names come from strangers, and may be anything. */
function labelOf(part: unknown, index: number): string {
  try {
    const { name: own } = part as { name?: unknown };
    if (typeof own === "string" && own !== "") return JSON.stringify(own.slice(0, 60));
  } catch {
    // A getter that throws has no name.
  }
  return `no. ${index + 1}`;
}

/** Messages of `defineTool` begin with the name, which stands there already. */
function toolReason(error: unknown): string {
  return reasonOf(error).replace(/^Tool "[^"]*": /, "");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
