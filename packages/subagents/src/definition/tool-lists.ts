import { nearestNames } from "@cogency/protocol/options";
import { entriesIn, type ReadField, toolPatterns } from "@cogency/skills/front-matter";

/** Which tools an agent has: those in `tools`, or all of its parent, without those in `without`. */
export interface ToolChoice {
  readonly tools?: readonly string[];
  readonly without: readonly string[];
}

type Names = ReadField<readonly string[]>;

/** Reads fields that name tools: ours, and those of Claude Code and opencode for what they do. */
export class ToolLists {
  readonly #known: readonly string[] | undefined;

  /** @param known the tools that there are; any name is one if absent */
  constructor(known: readonly string[] | undefined) {
    this.#known = known;
  }

  /** `tools`: a text or a list of names, or the map of opencode, such as `{ write: false }`. `[]` is no tool, `*` is all. */
  choice(value: unknown, field: string): ReadField<ToolChoice> {
    if (isMap(value)) return this.#ofMap(value, field);
    const names = this.#names(value, field);
    if ("wrong" in names) return names;
    return { value: names.value.includes("*") ? { without: [] } : { tools: names.value, without: [] } };
  }

  /** `withoutTools`, `disallowedTools`: a text or a list of names; `*` is all. */
  without(value: unknown, field: string): ReadField<ToolChoice> {
    const names = this.#names(value, field);
    if ("wrong" in names) return names;
    return { value: names.value.includes("*") ? { tools: [], without: [] } : { without: names.value } };
  }

  /**
   * `permission` of opencode: `{ edit: "deny" }`. What it allows or asks about is the person's to say here, so only what it denies counts.
   */
  permission(value: unknown, field: string): ReadField<ToolChoice> {
    if (value === "allow" || value === "ask") return { value: { without: [] } };
    if (value === "deny") return { value: { tools: [], without: [] } };
    if (!isMap(value))
      return { wrong: `${field} must be "allow", "ask" or "deny", or a map of tools with one of these.` };
    const tools: Record<string, boolean> = {};
    for (const [name, answer] of Object.entries(value)) {
      const verdict = verdictOf(answer);
      const key = name;
      if (verdict === undefined) return { wrong: `${field}: ${name} must be "allow", "ask" or "deny".`, key };
      if (verdict === "partly")
        return {
          wrong: `${field}: ${name} denies some calls only, which is not known here. Write "${name}: deny", or remove the line.`,
          key,
        };
      if (!notTools.has(name)) tools[name] = verdict === "given";
    }
    const choice = this.#ofMap(tools, field);
    if ("wrong" in choice || tools.edit !== false) return choice;
    // It means every tool that changes a file.
    return { value: { ...choice.value, without: [...choice.value.without, "edit", "replace", "write"] } };
  }

  #ofMap(map: Readonly<Record<string, unknown>>, field: string): ReadField<ToolChoice> {
    const lists = { true: [] as string[], false: [] as string[] };
    for (const [name, value] of Object.entries(map)) {
      if (typeof value !== "boolean")
        return { wrong: `${field}: ${name.slice(0, 80)} must be true or false.`, key: name };
      const tools = name === "*" ? [] : this.#tools(name, field);
      if (typeof tools === "string") return { wrong: tools, key: name };
      lists[`${value}`].push(...tools);
    }
    const without = lists.false;
    return { value: map["*"] === false ? { tools: lists.true, without } : { without } };
  }

  #names(value: unknown, field: string): Names {
    const entries: unknown = typeof value === "string" ? entriesIn(value) : value;
    if (!Array.isArray(entries) || entries.length > mostNames || !entries.every((entry) => typeof entry === "string"))
      return { wrong: `${field} must be names such as: read, find. Write [] for none.` };
    if (typeof value === "string" && entries.length === 0)
      return { wrong: `${field} is empty. Write [] for none, or leave it out${field === "tools" ? " for all" : ""}.` };
    const names = new Set<string>();
    for (const entry of entries) {
      const tools = this.#tools(entry, field);
      if (typeof tools === "string") return { wrong: tools };
      for (const name of tools) names.add(name);
    }
    return { value: [...names] };
  }

  /** The tools that an entry stands for, or what is wrong with it. */
  #tools(entry: string, field: string): string[] | string {
    if (entry === "*") return ["*"];
    const shown = entry.slice(0, 80);
    if (/[()]/.test(entry))
      return `${field}: "${shown}" names some calls of a tool, which is not known here. Name the tool alone, if the agent may have all of it.`;
    const names = toolPatterns(entry).map(({ tool }) => tool);
    const known = this.#known;
    // The tools of a server may be there or not.
    if (known === undefined || names.every((name) => known.includes(name) || name.startsWith("mcp__"))) return names;
    const [nearest] = nearestNames(entry, known);
    return `${field}: there is no tool "${shown}". ${nearest === undefined ? "Remove it." : `Did you mean ${nearest}?`}`;
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
