import type { Capability } from "@cogency/agent";
import type { Provider } from "@cogency/provider";
import type { AgentDefinition } from "@cogency/subagents";
import type { Tool } from "@cogency/tools";
import { noteOnce } from "../../base/terminal/note.ts";
import { oneLine } from "../../base/terminal/text.ts";
import {
  type AgentSources,
  type Agents,
  agentProblemLine,
  findAgents,
  type PlacedAgent,
} from "../../place/agents/find-agents.ts";
import type { Project } from "../../place/config/open-project.ts";
import { chooseDriver } from "../choose-driver.ts";
import type { ProviderChoice } from "../provider/choose-provider.ts";
import { agentModel } from "./agent-model.ts";

/** The agents of a run, and what an agent gets to give work to them. */
export interface OpenAgents extends Agents {
  readonly capability: Capability<Tool<"agent"> | Tool<"agent_result">>;
}

interface AgentSurroundings extends AgentSources {
  /** What stands around the instructions of each: where it works, and what files of the person and the project say. */
  readonly around: { readonly before: string; readonly after: string | undefined };
  /** The model of the conversation, and how it was chosen. */
  readonly provider: Provider;
  readonly choice: ProviderChoice;
}

/** Reads the agents that count here. Stderr says which are left out, and why. */
export async function openAgents(project: Project, surroundings: AgentSurroundings): Promise<OpenAgents> {
  const [found, { subagents }] = await Promise.all([findAgents(project, surroundings), import("@cogency/subagents")]);
  // A person who has switched one off knows it.
  for (const problem of found.problems)
    if (problem.code !== "not_for_agents") noteOnce(oneLine(`Agent left out: ${agentProblemLine(problem)}`, 600));
  if (found.unseen.length > 0) noteOnce(unseenText(found.unseen, project.top));
  const definitions = await Promise.all(found.agents.map((agent) => definitionOf(agent, surroundings)));
  return { ...found, capability: subagents(definitions) };
}

async function definitionOf(
  { place: _, file, isOfProject, model, driver, ...agent }: PlacedAgent,
  { around, provider, choice }: AgentSurroundings,
): Promise<AgentDefinition> {
  const [own, how] = await Promise.all([
    model === undefined ? undefined : agentModel(model, choice, provider, isOfProject),
    driver === undefined ? undefined : driverNamed(driver),
  ]);
  const tell = (problem: string) => noteOnce(oneLine(`${file}: the agent ${agent.name}: ${problem}`, 600));
  if (own && "problem" in own) tell(`it works with the model of the conversation, because ${own.problem}`);
  if (driver !== undefined && how === undefined)
    tell(`there is no driver "${driver}". There are ${drivers.join(", ")}; it works with that of the conversation`);
  return {
    ...agent,
    instructions: [around.before, agent.instructions, around.after].filter(Boolean).join("\n\n"),
    ...(own && "provider" in own && { provider: own.provider }),
    ...(how && { driver: how }),
  };
}

const drivers = ["protocol", "native", "react", "auto"] as const;

async function driverNamed(name: string): Promise<AgentDefinition["driver"]> {
  const driver = drivers.find((one) => one === name);
  return driver && chooseDriver({ driver, dialect: "json", startIn: "text" });
}

function unseenText(names: readonly string[], top: string): string {
  const shown = [...names.slice(0, 5), ...(names.length > 5 ? [`${names.length - 5} more`] : [])].join(", ");
  return `You have not looked at these agents of the project since they were changed, so what they say counts as untrusted: ${shown}. To read them and take them as yours: cogency trust ${oneLine(top, 200)}`;
}
