import { note } from "../../base/terminal/note.ts";
import { put, putLine } from "../../base/terminal/output.ts";
import { tableLines } from "../../base/terminal/table-lines.ts";
import { oneLine, widthOr } from "../../base/terminal/text.ts";
import { findAgents } from "../../place/agents/find-agents.ts";
import { openProject } from "../../place/config/open-project.ts";
import { problemLine } from "../../place/texts/find-texts.ts";
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
  if (json) await putLine(agents.map(({ name, description, file }) => ({ name, description, path: file ?? null })));
  else if (agents.length === 0) await put("There are no agents here.\n");
  else {
    const rows = agents.map(({ name, place, description }) => [name, oneLine(place, 100), oneLine(description, 200)]);
    const lines = tableLines(rows, { columns: widthOr(process.stdout, Number.POSITIVE_INFINITY) });
    await put(lines.map((line) => `${line}\n`).join(""));
  }
  for (const problem of problems) note(`Left out: ${problemLine(problem)}`);
}

async function agentsHere(tools: readonly string[]) {
  const project = await openProject(".");
  return findAgents(project, { isMarked: () => false, ofProject: true }, tools);
}

async function placed(folder: string, tools: readonly string[]) {
  const { agents, problems } = await agentsIn(folder, tools);
  return { agents: agents.map((agent) => ({ ...agent, place: agent.file })), problems };
}
