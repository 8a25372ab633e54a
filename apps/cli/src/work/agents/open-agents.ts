import type { AgentDefinition } from "@cogency/subagents";
import { noteOnce } from "../../base/terminal/note.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { toolNames } from "../../base/tool-names.ts";
import { type Agents, findAgents, type PlacedAgent } from "../../place/agents/find-agents.ts";
import { chooseDriver } from "../choose-driver.ts";
import type { OpenPart } from "../open-part.ts";
import type { PartSources } from "../part-sources.ts";
import { identity } from "../system-prompt.ts";
import { tellOfTexts } from "../tell-of-texts.ts";
import { agentModel } from "./agent-model.ts";

/** The agents of a run, and what an agent gets to give work to them. There are none only if its tools are left out. */
export interface OpenAgents extends Agents, OpenPart {}

/** Reads the agents that count here. Stderr says which are left out, and why. */
export async function openAgents(sources: PartSources): Promise<OpenAgents> {
  const { project, texts, options, tools, extensions } = sources;
  if (options.tools?.includes("agent") === false) return { agents: [], problems: [], unseen: [], capabilities: [] };
  const names = [...toolNames, ...[...tools, ...extensions.tools].map(({ name }) => name)];
  const [found, { subagents }] = await Promise.all([findAgents(project, texts, names), import("@cogency/subagents")]);
  tellOfTexts("agent", found, project.top);
  const definitions = await Promise.all(found.agents.map((agent) => definitionOf(agent, sources)));
  return { ...found, capabilities: [subagents(definitions)] };
}

async function definitionOf(
  { name, description, instructions, tools, withoutTools, budget, holds, ...written }: PlacedAgent,
  { options, context, provider }: PartSources,
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
