import { dirname } from "node:path";
import { checkOption, checkOptions, listOf, type OptionTable, required, text } from "@cogency/protocol/options";
import { readTextFiles, type TextFile } from "@cogency/skills/node";
import type { Content } from "@cogency/tools";
import { parseAgent } from "../definition/parse-agent.ts";
import type { AgentProblem, WrittenAgent } from "../definition/written-agent.ts";

export interface ReadAgentsOptions {
  /** A folder that no file may lie outside of, by its real path. Defaults to no limit: the folders are the person's own. */
  within?: string | undefined;
  /** What each text brings into a conversation, or a function that decides by the file. Defaults to nothing. */
  holds?: readonly Content[] | ((file: AgentFile) => readonly Content[]) | undefined;
  /** The tools that the program has. A file that names another one is left out. Defaults to any name. */
  tools?: readonly string[] | undefined;
}

/** The file of an agent as it was read. */
export type AgentFile = TextFile;

export interface FoundAgent extends WrittenAgent {
  /** The path of its file, below the folder that was given. */
  readonly file: string;
}

export interface FoundAgentProblem extends AgentProblem {
  /** The path of the file. */
  readonly file: string;
}

export interface FoundAgents {
  /** Sorted by name. */
  readonly agents: readonly FoundAgent[];
  readonly problems: readonly FoundAgentProblem[];
}

/**
 * Reads the agents of folders: each file `*.md` in one of them is an agent. Of two with one name that of the earlier folder counts, and
 * the other one is a problem. A folder that does not exist has none. Nothing in them is run.
 */
export async function readAgents(folders: readonly string[], options: ReadAgentsOptions = {}): Promise<FoundAgents> {
  checkOption("readAgents", "folders", folders, required(listOf(text, "an array of paths")));
  checkOptions<ReadAgentsOptions>("readAgents", options, optionTable);
  const { files, problems } = readTextFiles(folders, { ending: ".md", within: options.within });
  return agentsOf(files, [...problems], options);
}

/** Reads the agent of one file, by the same rules. Without a file there is the problem `file_missing`. */
export async function readAgent(
  file: string,
  options: ReadAgentsOptions = {},
): Promise<{ readonly agent?: FoundAgent | undefined; readonly problems: readonly FoundAgentProblem[] }> {
  checkOption("readAgent", "file", file, required(text));
  checkOptions<ReadAgentsOptions>("readAgent", options, optionTable);
  const all = readTextFiles([dirname(file)], { ending: ".md", within: options.within });
  const isMeant = (one: { file: string }) => one.file === file;
  const { agents, problems } = agentsOf(all.files.filter(isMeant), all.problems.filter(isMeant), options);
  if (agents.length > 0 || problems.length > 0) return { agent: agents[0], problems };
  const message = "There is no file of this name. Write one that begins with the front matter of an agent.";
  return { problems: [{ code: "file_missing", file, line: 1, message }] };
}

const optionTable: OptionTable<ReadAgentsOptions> = {
  within: text,
  holds: { wanted: "an array or a function", isOfType: (value) => Array.isArray(value) || typeof value === "function" },
  tools: listOf(text),
};

function agentsOf(
  files: readonly TextFile[],
  problems: FoundAgentProblem[],
  { holds, tools }: ReadAgentsOptions,
): FoundAgents {
  const found = new Map<string, FoundAgent>();
  for (const one of files) {
    const { file, source } = one;
    const { agent, problems: faults } = parseAgent(source, { file, tools });
    problems.push(...faults.map((problem) => ({ ...problem, file })));
    if (agent === undefined) continue;
    const first = found.get(agent.name);
    if (first !== undefined) {
      const message = `The agent ${agent.name} is left out, because ${first.file} has this name and comes first. Rename one of the two.`;
      problems.push({ code: "name_taken", file, line: 1, message });
      continue;
    }
    const held = typeof holds === "function" ? holds(one) : holds;
    found.set(agent.name, { ...agent, file, ...(held && { holds: held }) });
  }
  return { agents: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}
