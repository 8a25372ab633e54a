import { oneLine } from "../../base/terminal/text.ts";
import { findAgents } from "../../place/agents/find-agents.ts";
import { openProject } from "../../place/config/open-project.ts";
import { printList } from "../lists/print-list.ts";
import { agentsIn } from "./agents-in.ts";
import { type AgentToolOptions, toolNamesHere } from "./tool-names-here.ts";

export interface ListAgentsOptions extends AgentToolOptions {
  json?: true;
  folder?: string;
}

/** `cogency agents list` @throws UsageError for a folder that there is not */
export async function listAgents({ json, folder, ...options }: ListAgentsOptions): Promise<void> {
  const tools = await toolNamesHere(options);
  const { agents, problems } = folder === undefined ? await agentsHere(tools) : await placed(folder, tools);
  await printList(agents, {
    json,
    object: ({ name, description, file }) => ({ name, description, path: file ?? null }),
    row: ({ name, place, description }) => [name, oneLine(place, 100), oneLine(description, 200)],
    none: "There are no agents here.",
    problems,
  });
}

async function agentsHere(tools: readonly string[]) {
  const project = await openProject(".");
  return findAgents(project, { isMarked: () => false, ofProject: true }, tools);
}

async function placed(folder: string, tools: readonly string[]) {
  const { items, problems } = await agentsIn(folder, tools);
  return { agents: items.map((agent) => ({ ...agent, place: agent.file })), problems };
}
