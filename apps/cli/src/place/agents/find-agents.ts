import { existsSync } from "node:fs";
import type { WrittenAgent } from "@cogency/subagents/definition";
import type { FoundAgentProblem } from "@cogency/subagents/node";
import type { Project } from "../config/open-project.ts";
import { withinProject } from "../config/project.ts";
import { ProjectTexts } from "../project-texts.ts";
import { ownAgentFolder } from "./agent-folders.ts";
import { builtInAgents } from "./built-in-agents.ts";

/** An agent, and where it is from. */
export interface PlacedAgent extends WrittenAgent {
  /** `built in`, `yours`, or the path of its file in the project. */
  readonly place: string;
  /** The path of its file; undefined for one that is built in. */
  readonly file: string | undefined;
  /** Whether the project brings it, and not the person or the app. */
  readonly isOfProject: boolean;
}

export interface Agents {
  /** Sorted by name. */
  readonly agents: readonly PlacedAgent[];
  readonly problems: readonly FoundAgentProblem[];
  /** The names of those that nobody has looked at since they were changed. */
  readonly unseen: readonly string[];
}

export interface AgentSources {
  /** Whether a real path holds untrusted text. */
  readonly isMarked: (real: string) => boolean;
  /** Whether those of the project count, which a person may leave out. */
  readonly ofProject: boolean;
  /** The tools that there are. */
  readonly tools: readonly string[];
}

/**
 * Reads the agents that count in a folder: the person's own, then those of a project that is trusted, then the built-in ones; the first
 * of a name counts. A project cannot replace one that is built in: the person knows what that does. Nothing is loaded if there is no
 * folder with agents.
 *
 * What an agent of the project says is private. It is untrusted where its file is marked, and where nobody has looked at it since it was
 * changed, as with AGENTS.md.
 */
export async function findAgents(
  project: Pick<Project, "agentFolders" | "top" | "limits">,
  { isMarked, ofProject, tools }: AgentSources,
): Promise<Agents> {
  const own = existsSync(ownAgentFolder()) ? [ownAgentFolder()] : [];
  const folders = ofProject ? project.agentFolders : [];
  const builtIn = builtInAgents.map((agent) => ({ ...agent, place: "built in", file: undefined, isOfProject: false }));
  if (own.length === 0 && folders.length === 0) return { agents: builtIn, problems: [], unseen: [] };
  const { readAgents } = await import("@cogency/subagents/node");
  const texts = new ProjectTexts(isMarked);
  const [mine, theirs] = await Promise.all([
    readAgents(own, { tools }),
    // The nearest to the root comes first.
    readAgents(folders, { tools, within: project.top, holds: (file) => texts.heldBy(file) }),
  ]);
  const found = new Map<string, PlacedAgent>(
    mine.agents.map((agent) => [agent.name, { ...agent, place: "yours", isOfProject: false }]),
  );
  const problems = [...mine.problems, ...theirs.problems];
  for (const agent of theirs.agents) {
    const { name, file } = agent;
    const first = found.get(name)?.file ?? (builtIn.some((one) => one.name === name) ? "the one that is built in" : "");
    if (first === "") found.set(name, { ...agent, place: withinProject(project, file), isOfProject: true });
    else
      problems.push({
        code: "name_taken",
        file,
        line: 1,
        message: `The agent ${name} is left out: ${first} comes first. Give it another name.`,
      });
  }
  const unseen = [...found.values()].filter(({ file }) => file !== undefined && texts.unseen.has(file));
  for (const agent of builtIn) if (!found.has(agent.name)) found.set(agent.name, agent);
  return {
    agents: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    problems,
    unseen: unseen.map(({ name }) => name),
  };
}

/** What is wrong with the file of an agent, as a person finds the place. */
export function agentProblemLine({ file, line, message }: FoundAgentProblem): string {
  return `${file}:${line}: ${message}`;
}
