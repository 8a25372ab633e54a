import type { WrittenAgent } from "@cogency/subagents/definition";
import type { FoundAgent } from "@cogency/subagents/node";
import { findTexts, type TextFinder, type TextProject, type TextSources, type Texts } from "../texts/find-texts.ts";
import { builtInAgents } from "./built-in-agents.ts";

/** An agent, and where it is from. */
export interface PlacedAgent extends WrittenAgent {
  /** `built in`, `yours`, or the path of its file in the project or in the folder of another program. */
  readonly place: string;
  /** The path of its file; undefined for one that is built in. */
  readonly file: string | undefined;
}

export interface Agents extends Omit<Texts<FoundAgent>, "items"> {
  /** Sorted by name. */
  readonly agents: readonly PlacedAgent[];
}

/**
 * Reads the agents that count in a folder (see `findTexts`): the person's own, then those of a project that is trusted, then the built-in
 * ones; the first of a name counts. Only a file in the person's own folder replaces one that is built in: they know what that does.
 *
 * @param tools the tools that there are
 */
export async function findAgents(
  project: TextProject,
  sources: Pick<TextSources, "isMarked" | "ofProject">,
  tools: readonly string[],
): Promise<Agents> {
  const { items, problems, unseen } = await findTexts(finderWith(tools), project, sources);
  const isTaken = ({ name, place }: PlacedAgent) => place !== "yours" && builtInNames.has(name);
  const counting = items.filter((agent) => !isTaken(agent));
  const names = new Set(counting.map(({ name }) => name));
  const builtIn = builtInAgents.filter(({ name }) => !names.has(name));
  return {
    agents: [...counting, ...builtIn.map((agent) => ({ ...agent, place: "built in", file: undefined }))].sort((a, b) =>
      a.name < b.name ? -1 : 1,
    ),
    problems: [
      ...problems,
      ...items.filter(isTaken).map(({ name, file }) => ({
        code: "name_taken" as const,
        file,
        line: 1,
        message: `The agent ${name} is left out: one of this name is built in. Give it another name.`,
      })),
    ],
    unseen: unseen.filter((name) => names.has(name)),
  };
}

const builtInNames: ReadonlySet<string> = new Set(builtInAgents.map(({ name }) => name));

function finderWith(tools: readonly string[]): TextFinder<FoundAgent> {
  return {
    kind: "agents",
    one: "agent",
    async read(folders, options) {
      const { readAgents } = await import("@cogency/subagents/node");
      const { agents, problems } = await readAgents(folders, { ...options, tools });
      return { items: agents, problems };
    },
    placeOf: (file) => file,
  };
}
