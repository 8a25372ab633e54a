import type { Budget } from "@cogency/agent";
import { checkOption, checkOptions, listOf, required, text as textOption } from "@cogency/protocol/options";
import {
  type FrontMatterField,
  type FrontMatterProblem,
  parseFrontMatter,
  type ReadField,
  textField,
} from "@cogency/skills/front-matter";
import { unknownField } from "./other-fields.ts";
import { type ToolChoice, ToolLists } from "./tool-lists.ts";
import type { WrittenAgent } from "./written-agent.ts";

/** An agent, or why the text is none. Both are empty for a file that says that it is off, or for a person alone. */
export interface ParsedAgent {
  readonly agent?: WrittenAgent;
  readonly problems: readonly FrontMatterProblem[];
}

export interface ParseAgentOptions {
  /** The name of the file, which gives the agent its name where the text has none: `reviewer.md` is the agent `reviewer`. */
  file?: string | undefined;
  /** The tools that the program has. Another name is a problem. Defaults to any name. */
  tools?: readonly string[] | undefined;
}

/** Characters of a description that the model reads of each agent, in every request. */
const longestDescription = 1024;
/** Those that are read of a file: other programs let them be long, and have examples in them. */
const longestWritten = 16_384;
/** Characters of instructions. More is a book, and each request has all of it. */
const longestInstructions = 100_000;

interface Values {
  name: string;
  description: string;
  tools: ToolChoice;
  withoutTools: ToolChoice;
  disallowedTools: ToolChoice;
  permission: ToolChoice;
  model: string;
  driver: string;
  budget: Readonly<Record<string, number>>;
  steps: number;
  maxSteps: number;
  maxTurns: number;
  skills: readonly string[];
  mode: string;
  disable: boolean;
  disabled: boolean;
}

/**
 * Reads the text of a file that defines an agent: YAML between two lines `---`, and below it the instructions in Markdown. Files of Claude
 * Code and opencode are read where they mean the same here. Reports every field that is wrong, with its line.
 */
export function parseAgent(text: string, options: ParseAgentOptions = {}): ParsedAgent {
  checkOption("parseAgent", "text", text, required(textOption));
  checkOptions<ParseAgentOptions>("parseAgent", options, { file: textOption, tools: listOf(textOption) });
  const lists = new ToolLists(options.tools);
  const fields: { [Field in keyof Values]: FrontMatterField<Values[Field]> } = {
    name: nameField,
    description: textField({ most: longestWritten, isRequired: true }),
    tools: { read: (value, field) => lists.choice(value, field) },
    withoutTools: { read: (value, field) => lists.without(value, field) },
    disallowedTools: { read: (value, field) => lists.without(value, field) },
    permission: { read: (value, field) => lists.permission(value, field) },
    model: textField({ most: 200 }),
    driver: textField({ most: 200 }),
    budget: { read: readBudget },
    steps: { read: readSteps },
    maxSteps: { read: readSteps },
    maxTurns: { read: readSteps },
    skills: { read: readSkillNames },
    mode: { read: readMode },
    disable: flagField,
    disabled: flagField,
  };
  const shown = ["name", "description", "tools", "withoutTools", "model", "driver", "budget", "skills"];
  const unknown = (field: string, value: unknown) => unknownField(field, value, shown);
  const { values, text: body, problems } = parseFrontMatter<Values>(text, { kind: "agent", fields, unknown });
  const name = values.name ?? nameOfFile(options.file);
  const faults = [...problems, ...faultsOf(name, body, problems)];
  if (faults.length > 0) return { problems: faults };
  if (values.mode === "primary" || values.disable || values.disabled) return { problems: [] };
  return { agent: agentOf(name ?? "", values, body), problems: [] };
}

/** What is wrong with an agent whose fields are right. */
function faultsOf(
  name: string | undefined,
  body: string,
  problems: readonly FrontMatterProblem[],
): FrontMatterProblem[] {
  const faults: FrontMatterProblem[] = [];
  if (problems.length > 0) return faults;
  if (name === undefined)
    faults.push({ code: "field_missing", line: 1, message: 'The front matter lacks name. Add a line "name: …".' });
  const wrong = name === undefined ? undefined : wrongName(name);
  if (wrong !== undefined) faults.push({ code: "field_invalid", line: 1, message: `The name of the file ${wrong}` });
  if (body.length > longestInstructions) {
    const message = `The instructions have ${body.length} characters. At most ${longestInstructions} are allowed.`;
    faults.push({ code: "field_invalid", line: 1, message });
  }
  return faults;
}

function agentOf(name: string, values: Partial<Values>, body: string): WrittenAgent {
  const { description = "", skills = [] } = values;
  const { tools, without } = joined(
    [values.tools, values.permission, values.withoutTools, values.disallowedTools].filter((one) => one !== undefined),
  );
  const budget = budgetOf(values);
  return {
    name,
    description: shortened(description),
    instructions: withSkills(body, skills),
    ...(tools !== undefined && { tools: skills.length > 0 ? [...new Set([...tools, "skill"])] : tools }),
    ...(without.length > 0 && { withoutTools: without }),
    ...named("model", values.model),
    ...named("driver", values.driver),
    ...(budget && { budget }),
  };
}

/** Each list narrows: what one takes away, no other gives back. */
function joined(choices: readonly ToolChoice[]): ToolChoice {
  const [first, ...rest] = choices.flatMap(({ tools }) => (tools === undefined ? [] : [tools]));
  return {
    ...(first !== undefined && { tools: first.filter((name) => rest.every((names) => names.includes(name))) }),
    without: [...new Set(choices.flatMap(({ without }) => without))],
  };
}

/** `inherit` is the parent's. */
function named(field: "model" | "driver", name: string | undefined): { model?: string; driver?: string } {
  return name === undefined || name === "inherit" ? {} : { [field]: name };
}

/** Of two limits of one kind the lower one holds. */
function budgetOf({ budget = {}, steps, maxSteps, maxTurns }: Partial<Values>): Budget | undefined {
  const limits = [budget.steps, steps, maxSteps, maxTurns].filter((limit) => limit !== undefined);
  const all = { ...budget, ...(limits.length > 0 && { steps: Math.min(...limits) }) };
  return Object.keys(all).length > 0 ? all : undefined;
}

const nameField: FrontMatterField<string> = {
  read(value, field) {
    if (typeof value !== "string") return textField({ most: 64 }).read(value, field);
    const wrong = wrongName(value.trim());
    return wrong === undefined ? { value: value.trim() } : { wrong: `${field} ${wrong}` };
  },
};

function wrongName(name: string): string | undefined {
  if (/^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) return undefined;
  const better = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64);
  const advice = better === "" ? "" : ` Write "name: ${better}".`;
  return `may hold lower-case letters, digits and "-" alone, at most 64.${advice}`;
}

function nameOfFile(file = ""): string | undefined {
  return /(?:^|[/\\])([^/\\]+)\.md$/i.exec(file)?.[1];
}

function readBudget(value: unknown, field: string): ReadField<Readonly<Record<string, number>>> {
  const entries = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  const isSound = entries.length > 0 && entries.every(([name, limit]) => isLimit(name, limit));
  if (isSound) return { value: value as Record<string, number> };
  return { wrong: `${field} is a map of numbers above 0, such as { steps: 20 }: ${[...limitNames].join(", ")}.` };
}

const limitNames: ReadonlySet<string> = new Set(["steps", "tokens", "cost", "toolCalls", "seconds"]);

function isLimit(name: string, value: unknown): value is number {
  if (!limitNames.has(name) || typeof value !== "number" || !(value > 0) || !Number.isFinite(value)) return false;
  return name === "cost" || name === "seconds" || Number.isSafeInteger(value);
}

function readSteps(value: unknown, field: string): ReadField<number> {
  return isLimit("steps", value) ? { value } : { wrong: `${field} must be a whole number above 0.` };
}

function readSkillNames(value: unknown, field: string): ReadField<readonly string[]> {
  const names: unknown = typeof value === "string" ? value.split(/[\s,]+/).filter((name) => name !== "") : value;
  if (Array.isArray(names) && names.length <= 50 && names.every(isSkillName)) return { value: names };
  return { wrong: `${field} must be names of skills, such as: [review, release-notes].` };
}

function isSkillName(name: unknown): name is string {
  return typeof name === "string" && /^[\p{L}\p{M}\p{N}-]{1,64}$/u.test(name);
}

/** Of opencode: `primary` is an agent that a person speaks to. */
function readMode(value: unknown, field: string): ReadField<string> {
  if (value === "subagent" || value === "all" || value === "primary") return { value };
  return { wrong: `${field} must be "subagent", "all" or "primary".` };
}

const flagField: FrontMatterField<boolean> = {
  read: (value, field) => (typeof value === "boolean" ? { value } : { wrong: `${field} must be true or false.` }),
};

/** One line, as the model reads it. */
function shortened(description: string): string {
  const line = description.replace(/[\s\p{C}]+/gu, " ").trim();
  return line.length > longestDescription
    ? `${line
        .slice(0, longestDescription - 1)
        .toWellFormed()
        .trimEnd()}…`
    : line;
}

/** Other programs put the text of these skills into the prompt; here the model reads them when it begins. */
function withSkills(instructions: string, skills: readonly string[]): string {
  if (skills.length === 0) return instructions;
  return `${instructions}\n\nBefore you begin, read these skills with the tool skill: ${skills.join(", ")}.`;
}
