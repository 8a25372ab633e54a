import type { Json, JsonSchema, LogEvent, ToolResult, ToolSpec } from "@cogency/protocol";
import { callback, checkOptions, listOf, text, whole } from "@cogency/protocol/options";
import type { Tool } from "@cogency/tools";
import { rankTools } from "./rank-tools.ts";
import { searchNames, type ToolFinder, type ToolSearch } from "./tool-finder.ts";

export interface ToolSearchOptions {
  /** With at most so many tools the model is offered all of them, and nothing is searched. Defaults to 40. */
  above?: number | undefined;
  /** The names of the tools that the model is always offered. Defaults to none. */
  keep?: readonly string[] | undefined;
  /** How many tools one search gives at most. Defaults to 5. */
  limit?: number | undefined;
  /**
   * Ranks the tools for the words of the model, instead of the ranking by words: returns the names of those that fit, the best first.
   * Names of no tool are left out. An error that it throws is the result of the search, which the model reads.
   */
  rank?: ((query: string, tools: readonly ToolSpec[]) => readonly string[] | Promise<readonly string[]>) | undefined;
}

/**
 * Lets the model find tools by words, for `createAgent({ toolSearch: toolSearch() })`: it is offered the tools of `keep` and
 * `find_tools`, and reads how a tool is called when it has found it. So what every request begins with stays small, and the same.
 *
 * @throws TypeError for an unknown option or one of a wrong type; RangeError for `above` below 0 and `limit` below 1
 */
export function toolSearch(options: ToolSearchOptions = {}): ToolSearch {
  checkOptions<ToolSearchOptions>("toolSearch", options, {
    above: whole(0),
    keep: listOf(text, "an array of names of tools"),
    limit: whole(1),
    rank: callback,
  });
  const { above = 40, keep = [], limit = 5, rank } = options;
  return {
    over(tools, opening) {
      checkTools(tools, opening ? [] : keep);
      const isOn = opening?.isOn ?? tools.length > above;
      return isOn ? finderOf(tools, opening?.offered ?? new Set(keep), limit, rank) : undefined;
    },
  };
}

const [findTools] = searchNames;

/** @param kept what the model is offered already, or the names of what it is to be offered */
function finderOf(
  tools: readonly Tool[],
  kept: readonly ToolSpec[] | ReadonlySet<string>,
  limit: number,
  rank: ToolSearchOptions["rank"],
): ToolFinder {
  const isGiven = "length" in kept;
  const known = isGiven ? new Set(kept.map(entryOf)) : kept;
  const entries = new Map(
    tools.flatMap(({ name, spec }) => {
      const entry = entryOf(spec);
      return known.has(isGiven ? entry : name) ? [] : [[name, entry] as const];
    }),
  );
  const histories = new WeakMap<readonly LogEvent[], LogRead>();
  return {
    definition(specs) {
      const searched = specs.filter(({ name }) => name !== findTools);
      const known = new Map(searched.map((spec) => [spec.name, spec]));
      let ranked: ((query: string) => string[]) | undefined;
      return {
        name: findTools,
        description,
        input,
        annotations: { readOnlyHint: true, idempotentHint: true },
        // Shortened, it would not say what was found.
        maxResultBytes: Number.POSITIVE_INFINITY,
        async execute({ query }) {
          const words = String(query);
          ranked ??= rankTools(searched);
          const names = rank ? checkedNames(await rank(words, searched)) : ranked(words);
          const found = [...new Set(names)].flatMap((name) => known.get(String(name)) ?? []).slice(0, limit);
          return found.length > 0 ? found.map(lineOf) : nothingFor(words);
        },
      };
    },
    offered: (specs) => (isGiven ? kept : specs.filter(({ name }) => name === findTools || kept.has(name))),
    announce(log, results, timestamp, from = 0) {
      const found = new Set(results.flatMap(namesIn));
      if (found.size === 0) return [];
      const history = histories.get(log) ?? { read: 0, known: new Map() };
      histories.set(log, history);
      read(log, history, entries);
      const names = [...found].filter((name) => entries.has(name) && !((history.known.get(name) ?? -1) >= from));
      if (names.length === 0) return [];
      const content = [heading, ...names.map((name) => entries.get(name))].join("\n");
      return [
        { type: "user", content, origin: "notice", timestamp },
        // After the words: where a log is cut between them, the tools are described again.
        { type: "record", kind: "tools_found", data: { names }, timestamp },
      ];
    },
  };
}

/** The names of the tools that a log has described, as far as it was read, and where: the index of the event. */
interface LogRead {
  read: number;
  readonly known: Map<string, number>;
}

/**
 * A tool that has changed since it was described, one whose description a store has redacted, and one whose description a summary has
 * replaced do not count as known.
 */
function read(log: readonly LogEvent[], history: LogRead, entries: ReadonlyMap<string, string>): void {
  for (; history.read < log.length; history.read++) {
    const event = log[history.read];
    if (event?.type !== "record") continue;
    if (event.kind === "summary") {
      const { upTo } = (event.data ?? {}) as { upTo?: unknown };
      for (const [name, at] of history.known) if (typeof upTo === "number" && at < upTo) history.known.delete(name);
    }
    if (event.kind !== "tools_found") continue;
    const before = log[history.read - 1];
    // A log from elsewhere may hold anything.
    const names: unknown = event.data?.names;
    if (before?.type !== "user" || before.origin !== "notice" || !Array.isArray(names)) continue;
    for (const name of names) {
      const entry = entries.get(name);
      if (entry !== undefined && before.content.includes(entry)) history.known.set(name, history.read - 1);
    }
  }
}

/** The names in a result of `find_tools`; it may come from a log, or from a hook. */
function namesIn({ tool, status, content }: ToolResult): string[] {
  if (tool !== findTools || status !== "success" || !Array.isArray(content)) return [];
  return content.flatMap((line) => (isNamed(line) ? line.name : []));
}

function isNamed(value: Json): value is { name: string } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && typeof value.name === "string";
}

const description =
  "Find tools that are not listed here. Give a few words: what the tool does, or what it works on. The tools that are found are " +
  "described to you after the result. Search before you say that something cannot be done.";

const input = {
  type: "object",
  properties: { query: { type: "string", minLength: 1, description: "A few words, such as: create calendar event" } },
  required: ["query"],
} as JsonSchema;

const heading =
  "These tools were found. From now on you can call them by name, like the tools that you have; if you have `call_tool`, call them with it.\n";

/** As the system prompts of the drivers list a tool. */
function entryOf({ name, description, parameters }: ToolSpec): string {
  const text = description.trim().replace(/\s+/g, " ");
  return `- ${name}: ${text}\n  parameters: ${JSON.stringify(parameters)}`.toWellFormed();
}

/** The tool in one line: the first sentence of its description. */
function lineOf({ name, description }: ToolSpec): Json {
  const [sentence = ""] = description.trim().split(/(?<=[.!?])\s|\n/);
  return { name, description: (sentence.length > 160 ? `${sentence.slice(0, 159)}…` : sentence).toWellFormed() };
}

function nothingFor(query: string): string {
  return `No tool fits ${JSON.stringify(query.slice(0, 200))}. Try other words, or fewer: the thing that it works on, or what is done with it.`;
}

function checkTools(tools: readonly Tool[], keep: readonly string[]): void {
  const names = new Set(tools.map(({ name }) => name));
  const taken = searchNames.find((name) => names.has(name));
  if (taken !== undefined) {
    throw new TypeError(`A tool is named ${taken}, which \`toolSearch\` needs for itself. Rename the tool.`);
  }
  const missing = keep.find((name) => !names.has(name));
  if (missing !== undefined) {
    throw new TypeError(`toolSearch: \`keep\` names ${JSON.stringify(missing)}, but the agent has no such tool.`);
  }
}

function checkedNames(names: unknown): readonly unknown[] {
  if (Array.isArray(names)) return names;
  throw new TypeError("The ranking of the tools gave no array of names.");
}
