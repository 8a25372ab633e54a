import { nearestNames } from "@cogency/protocol/options";
import { entriesIn, toolPatterns } from "@cogency/skills/format";
import type { AgentProblemCode } from "./written-agent.ts";

/** Which tools an agent has: those in `tools`, or all of its parent, without those in `without`. */
export interface ToolChoice {
  readonly tools?: readonly string[];
  readonly without: readonly string[];
}

/** Says why a field cannot be used. */
export type Complain = (code: AgentProblemCode, message: string) => void;

/** Reads fields that name tools: ours, and those of Claude Code and opencode for what they do. */
export class ToolLists {
  readonly #known: ReadonlySet<string> | undefined;

  /** @param known the tools that there are; any name is one if absent */
  constructor(known: readonly string[] | undefined) {
    this.#known = known && new Set(known);
  }

  /**
   * `tools`: a text or a list of names, or the map of opencode, such as `{ write: false }`. `[]` is no tool, `*` is all.
   */
  choice(value: unknown, complain: Complain): ToolChoice {
    if (isMap(value)) return this.#ofMap(value, complain);
    const names = this.names("tools", value, complain);
    return names.includes("*") ? { without: [] } : { tools: names, without: [] };
  }

  /** `withoutTools`, `disallowedTools`: a text or a list of names. */
  names(field: string, value: unknown, complain: Complain): string[] {
    const entries = typeof value === "string" ? entriesIn(value) : value;
    if (!Array.isArray(entries) || !entries.every((entry) => typeof entry === "string") || entries.length > mostNames) {
      complain("field_invalid", `${field} must be names such as: read, find. Write [] for none.`);
      return [];
    }
    if (typeof value === "string" && entries.length === 0) {
      complain(
        "field_invalid",
        `${field} is empty. Write [] for none, or leave it out${field === "tools" ? " for all" : ""}.`,
      );
    }
    return [...new Set(entries.flatMap((entry: string) => this.#tools(field, entry, complain)))];
  }

  /**
   * `permission` of opencode: `{ edit: "deny" }`. What it allows or asks about is the person's to say here, so only what it denies counts.
   */
  permission(value: unknown, complain: Complain): ToolChoice {
    if (value === "allow" || value === "ask") return { without: [] };
    if (value === "deny") return { tools: [], without: [] };
    if (!isMap(value)) {
      complain("field_invalid", 'permission must be "allow", "ask" or "deny", or a map of tools with one of these.');
      return { without: [] };
    }
    const answers = Object.entries(value).map(([name, answer]): [string, boolean] => {
      const verdict = verdictOf(answer);
      if (verdict === "partly")
        complain(
          "field_unsupported",
          `permission: ${name} denies some calls only, which is not known here. Write "${name}: deny", or remove the line.`,
        );
      if (verdict === undefined) complain("field_invalid", `permission: ${name} must be "allow", "ask" or "deny".`);
      return [name, verdict !== "denied"];
    });
    const tools = Object.fromEntries(answers.filter(([name]) => !notTools.has(name)));
    const choice = this.#ofMap(tools, complain);
    // It means every tool that changes a file.
    return tools.edit === false ? { ...choice, without: [...choice.without, "edit", "replace", "write"] } : choice;
  }

  #ofMap(map: Readonly<Record<string, unknown>>, complain: Complain): ToolChoice {
    const entries = Object.entries(map);
    const of = (is: boolean) =>
      entries
        .filter(([name, value]) => value === is && name !== "*")
        .flatMap(([name]) => this.#tools("tools", name, complain));
    for (const [name, value] of entries)
      if (typeof value !== "boolean") complain("field_invalid", `tools: ${name} must be true or false.`);
    const [given, without] = [of(true), of(false)];
    return map["*"] === false ? { tools: given, without } : { without };
  }

  #tools(field: string, entry: string, complain: Complain): string[] {
    if (entry === "*") return ["*"];
    const patterns = toolPatterns(entry);
    if (/[()]/.test(entry)) {
      complain(
        "field_unsupported",
        `${field}: "${entry.slice(0, 80)}" names some calls of a tool, which is not known here. Name the tool alone, if the agent may have all of it.`,
      );
      return [];
    }
    const unknown = patterns.find(({ tool }) => this.#known?.has(tool) === false && !tool.startsWith("mcp__"));
    if (unknown === undefined) return patterns.map(({ tool }) => tool);
    const [nearest] = nearestNames(unknown.tool, [...(this.#known ?? [])]);
    const advice = nearest === undefined ? "Remove it." : `Did you mean ${nearest}?`;
    complain("tool_unknown", `${field}: there is no tool "${unknown.tool.slice(0, 80)}". ${advice}`);
    return [];
  }
}

/** What `permission` of opencode says of a tool: an answer, or one for each pattern of calls. */
function verdictOf(answer: unknown): "given" | "denied" | "partly" | undefined {
  const answers = isMap(answer) ? Object.values(answer) : [answer];
  if (answers.length === 0 || !answers.every((one) => one === "allow" || one === "ask" || one === "deny"))
    return undefined;
  if (!answers.includes("deny")) return "given";
  const isWhole = !isMap(answer) || (Object.hasOwn(answer, "*") && answers.every((one) => one === "deny"));
  return isWhole ? "denied" : "partly";
}

/** More is an attack on the reader. */
const mostNames = 200;

/** What `permission` of opencode says about something else than a tool. The tools reach no other folder here whatever it says. */
const notTools: ReadonlySet<string> = new Set(["external_directory", "doom_loop"]);

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
