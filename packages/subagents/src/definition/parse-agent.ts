import type { Budget } from "@cogency/agent";
import {
  checkOption,
  checkOptions,
  listOf,
  nearestNames,
  required,
  text as textOption,
} from "@cogency/protocol/options";
import { FrontMatter } from "@cogency/skills/format";
import { otherFields } from "./other-fields.ts";
import { type Complain, type ToolChoice, ToolLists } from "./tool-lists.ts";
import type { AgentProblem, AgentProblemCode, WrittenAgent } from "./written-agent.ts";

/** An agent, or why the text is none: exactly one of the two has something. */
export interface ParsedAgent {
  readonly agent?: WrittenAgent;
  readonly problems: readonly AgentProblem[];
}

export interface ParseAgentOptions {
  /** The name of the file, which gives the agent its name where the text has none: `reviewer.md` is the agent `reviewer`. */
  file?: string | undefined;
  /** The tools that the program has. Another name is a problem. Defaults to any name. */
  tools?: readonly string[] | undefined;
}

/**
 * Reads the text of a file that defines an agent: YAML between two lines `---`, and below it the instructions in Markdown. Files of Claude
 * Code and opencode are read where they mean the same here. Reports every fault, each with its line.
 */
export function parseAgent(text: string, options: ParseAgentOptions = {}): ParsedAgent {
  checkOption("parseAgent", "text", text, required(textOption));
  checkOptions<ParseAgentOptions>("parseAgent", options, { file: textOption, tools: listOf(textOption) });
  return new Reading(text, options).parsed();
}

/** Characters of a description that the model reads of each agent, in every request. */
const longestDescription = 1024;
/** Those that are read of a file: other programs let them be long, and have examples in them. */
const longestWritten = 16_384;
/** Characters of instructions. More is a book, and each request has all of it. */
const longestInstructions = 100_000;

const ownFields = [
  "name",
  "description",
  "tools",
  "withoutTools",
  "disallowedTools",
  "permission",
  "model",
  "driver",
  "budget",
  "maxTurns",
  "steps",
  "maxSteps",
  "skills",
];

class Reading {
  readonly #matter: FrontMatter<AgentProblemCode>;
  readonly #lists: ToolLists;
  readonly #file: string | undefined;

  constructor(text: string, { file, tools }: ParseAgentOptions) {
    this.#matter = new FrontMatter(text);
    this.#lists = new ToolLists(tools);
    this.#file = file;
  }

  parsed(): ParsedAgent {
    const matter = this.#matter;
    if (!matter.isReadable) return { problems: matter.problems };
    for (const field of matter.fields) this.#checkField(field);
    const { tools, without } = this.#tools();
    const skills = this.#skills();
    const agent: WrittenAgent = {
      name: this.#name(),
      description: shortened(matter.text("description", longestWritten, true) ?? ""),
      instructions: withSkills(this.#instructions(), skills),
      ...(tools !== undefined && { tools: skills.length > 0 ? [...new Set([...tools, "skill"])] : tools }),
      ...(without.length > 0 && { withoutTools: without }),
      ...this.#named("model"),
      ...this.#named("driver"),
      ...this.#budget(),
    };
    const problems = matter.problems.toSorted((a, b) => a.line - b.line);
    return problems.length > 0 ? { problems } : { agent, problems };
  }

  #checkField(field: string): void {
    if (ownFields.includes(field)) return;
    const judge = otherFields.get(field);
    if (judge === undefined) {
      const [nearest] = nearestNames(field, ownFields);
      const advice = nearest === undefined ? "Remove it." : `Did you mean ${nearest}?`;
      this.#complain(field)("field_unknown", `"${field}" is no field of an agent. ${advice}`);
      return;
    }
    const fault = judge(this.#matter.value(field));
    if (fault) this.#complain(field)(...fault);
  }

  #name(): string {
    const { name: ofFile } = /(?:^|[/\\])(?<name>[^/\\]*)\.md$/i.exec(this.#file ?? "")?.groups ?? {};
    const isGiven = this.#matter.has("name");
    const name = isGiven ? this.#matter.text("name", 64) : ofFile;
    if (name === undefined) {
      if (!isGiven) this.#complain("name")("field_missing", 'The front matter lacks name. Add a line "name: …".');
      return "";
    }
    if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) {
      const from = isGiven ? "name" : "The name of the file";
      const better = name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-+|-+$/g, "")
        .slice(0, 64);
      const advice = better === "" ? "" : ` Write "name: ${better}".`;
      this.#complain("name")(
        "field_invalid",
        `${from} may hold lower-case letters, digits and "-" alone, at most 64.${advice}`,
      );
    }
    return name;
  }

  #instructions(): string {
    const text = this.#matter.body.trim();
    if (text === "")
      this.#matter.problem("text_empty", this.#matter.bodyLine, "There are no instructions below the front matter.");
    if (text.length > longestInstructions) {
      const message = `The instructions have ${text.length} characters. At most ${longestInstructions} are allowed.`;
      this.#matter.problem("field_invalid", this.#matter.bodyLine, message);
    }
    return text;
  }

  /** Each list narrows: what one takes away, no other gives back. */
  #tools(): ToolChoice {
    const read = (field: string, by: (value: unknown, complain: Complain) => ToolChoice) =>
      this.#given(field).map((value) => by(value, this.#complain(field)));
    const without = (field: string) =>
      read(field, (value, complain) => {
        const names = this.#lists.names(field, value, complain);
        return names.includes("*") ? { tools: [], without: [] } : { without: names };
      });
    const choices = [
      ...read("tools", (value, complain) => this.#lists.choice(value, complain)),
      ...read("permission", (value, complain) => this.#lists.permission(value, complain)),
      ...without("withoutTools"),
      ...without("disallowedTools"),
    ];
    const only = choices.flatMap(({ tools }) => (tools === undefined ? [] : [tools]));
    const [first, ...rest] = only;
    return {
      ...(first !== undefined && { tools: first.filter((name) => rest.every((names) => names.includes(name))) }),
      without: [...new Set(choices.flatMap((choice) => choice.without))],
    };
  }

  /** `inherit` is the parent's. */
  #named(field: "model" | "driver"): { model?: string; driver?: string } {
    const name = this.#matter.has(field) ? this.#matter.text(field, 200) : undefined;
    return name === undefined || name === "inherit" ? {} : { [field]: name };
  }

  #budget(): { budget?: Budget } {
    const limits: [string, number][] = [];
    for (const value of this.#given("budget")) {
      const entries = isMap(value) ? Object.entries(value) : [["", undefined]];
      for (const [name, limit] of entries as [string, unknown][]) {
        if (isLimit(name, limit)) limits.push([name, limit]);
        else this.#complain("budget")("field_invalid", `budget holds numbers above 0: ${[...limitNames].join(", ")}.`);
      }
    }
    for (const field of ["steps", "maxTurns", "maxSteps"])
      for (const value of this.#given(field)) {
        if (isLimit("steps", value)) limits.push(["steps", value]);
        else this.#complain(field)("field_invalid", `${field} must be a whole number above 0.`);
      }
    if (limits.length === 0) return {};
    const budget: Record<string, number> = {};
    // Of two limits of one kind the lower one holds.
    for (const [name, limit] of limits) budget[name] = Math.min(limit, budget[name] ?? limit);
    return { budget };
  }

  #skills(): string[] {
    const [names] = this.#given("skills");
    if (names === undefined) return [];
    const list = typeof names === "string" ? names.split(/[\s,]+/).filter((name) => name !== "") : names;
    if (Array.isArray(list) && list.length <= 50 && list.every(isSkillName)) return list;
    this.#complain("skills")("field_invalid", "skills must be names of skills, such as: [review, release-notes].");
    return [];
  }

  /** The value of a field; empty if it is missing, or cannot be read, which is told. */
  #given(field: string): unknown[] {
    const value = this.#matter.has(field) ? this.#matter.value(field) : undefined;
    return value === undefined ? [] : [value];
  }

  #complain(field: string): Complain {
    return (code, message) => this.#matter.problem(code, this.#matter.line(field), message);
  }
}

const limitNames: ReadonlySet<string> = new Set(["steps", "tokens", "cost", "toolCalls", "seconds"]);

function isLimit(name: string, value: unknown): value is number {
  if (!limitNames.has(name) || typeof value !== "number" || !(value > 0) || !Number.isFinite(value)) return false;
  return name === "cost" || name === "seconds" || Number.isSafeInteger(value);
}

function isSkillName(name: unknown): name is string {
  return typeof name === "string" && /^[\p{L}\p{M}\p{N}-]{1,64}$/u.test(name);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

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
