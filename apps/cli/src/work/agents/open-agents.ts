import type { Capability } from "@cogency/agent";
import type { Provider } from "@cogency/provider";
import type { AgentDefinition } from "@cogency/subagents";
import type { Access } from "@cogency/toolbox";
import type { Tool } from "@cogency/tools";
import { noteOnce } from "../../base/terminal/note.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { toolNames } from "../../base/tool-names.ts";
import { type Agents, findAgents, type PlacedAgent } from "../../place/agents/find-agents.ts";
import type { Project } from "../../place/config/open-project.ts";
import { problemLine, type TextSources } from "../../place/texts/find-texts.ts";
import { chooseDriver } from "../choose-driver.ts";
import type { ProviderChoice } from "../provider/choose-provider.ts";
import { identity } from "../system-prompt.ts";
import { agentModel } from "./agent-model.ts";

/** The agents of a run, and what an agent gets to give work to them. */
export interface OpenAgents extends Agents {
  readonly capability: Capability<Tool<"agent"> | Tool<"agent_result">>;
}

/** What the agent of a conversation is made of, which starts the others. */
interface Starter {
  readonly options: ProviderChoice & { readonly access: Access };
  readonly tools: readonly Tool[];
  /** What files of the person and the project say. */
  readonly context: string | undefined;
  readonly provider: Provider;
}

/** Reads the agents that count here. Stderr says which are left out, and why. */
export async function openAgents(project: Project, sources: TextSources, starter: Starter): Promise<OpenAgents> {
  const names = [...toolNames, ...starter.tools.map(({ name }) => name)];
  const [found, { subagents }] = await Promise.all([findAgents(project, sources, names), import("@cogency/subagents")]);
  for (const problem of found.problems) noteOnce(oneLine(`Agent left out: ${problemLine(problem)}`, 600));
  if (found.unseen.length > 0) noteOnce(unseenText(found.unseen, project.top));
  const definitions = await Promise.all(found.agents.map((agent) => definitionOf(agent, starter)));
  return { ...found, capability: subagents(definitions) };
}

async function definitionOf(
  { name, description, instructions, tools, withoutTools, budget, holds, ...written }: PlacedAgent,
  { options, context, provider }: Starter,
): Promise<AgentDefinition> {
  const { model, driver, file, place } = written;
  const [own, how] = await Promise.all([
    model === undefined ? undefined : agentModel(model, options, provider, place !== "yours"),
    driver === undefined ? undefined : driverNamed(driver),
  ]);
  const tell = (problem: string) => noteOnce(oneLine(`${file}: the agent ${name}: ${problem}`, 600));
  if (own && "problem" in own) tell(`it works with the model of the conversation, because ${own.problem}`);
  if (driver !== undefined && how === undefined)
    tell(`there is no driver "${driver}". There are ${drivers.join(", ")}; it works with that of the conversation`);
  return {
    name,
    description,
    instructions: [`${identity(options.access)} ${role}`, instructions, context].filter(Boolean).join("\n\n"),
    tools,
    withoutTools,
    budget,
    holds,
    ...(own && "provider" in own && { provider: own.provider }),
    ...(how && { driver: how }),
  };
}

const role = "You do one task for another agent, which reads your last answer and nothing else.";

const drivers = ["protocol", "native", "react", "auto"] as const;

async function driverNamed(name: string): Promise<AgentDefinition["driver"]> {
  const driver = drivers.find((one) => one === name);
  return driver && chooseDriver({ driver, dialect: "json", startIn: "text" });
}

function unseenText(names: readonly string[], top: string): string {
  const shown = [...names.slice(0, 5), ...(names.length > 5 ? [`${names.length - 5} more`] : [])].join(", ");
  return `You have not looked at these agents of the project since they were changed, so what they say counts as untrusted: ${shown}. To read them and take them as yours: cogency trust ${oneLine(top, 200)}`;
}
