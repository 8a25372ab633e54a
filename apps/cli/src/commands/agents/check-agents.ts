import { existsSync } from "node:fs";
import { put } from "../../base/terminal/output.ts";
import { counted, visible } from "../../base/terminal/text.ts";
import { projectFiles } from "../../place/config/project.ts";
import { problemLine } from "../../place/texts/find-texts.ts";
import { ownTextFolder } from "../../place/texts/text-folders.ts";
import { agentsIn } from "./agents-in.ts";
import { type AgentToolOptions, toolNamesHere } from "./tool-names-here.ts";

/**
 * `cogency agents check`: every fault of the files of agents, with its line and what to write instead.
 *
 * @param named files and folders; the person's own folder and those of the project if empty
 * @returns the exit code: 1 if something is wrong, or if what was named holds no agent
 * @throws UsageError for a file or folder that there is not, and for a `--tool` that is none
 */
export async function checkAgents(named: readonly string[], options: AgentToolOptions): Promise<number> {
  const usual = [ownTextFolder("agents"), ...projectFiles(".").textFolders.agents].filter((folder) =>
    existsSync(folder),
  );
  const tools = await toolNamesHere(options);
  let [valid, wrong] = [0, 0];
  for (const place of named.length > 0 ? named : usual) {
    const { agents, problems } = await agentsIn(place, tools);
    valid += agents.length;
    wrong += problems.length;
    for (const problem of problems) await put(`${visible(problemLine(problem))}\n`);
    if (agents.length > 0 || problems.length > 0 || named.length === 0) continue;
    wrong++;
    await put(`${visible(place)}: There is no file of an agent (*.md) in this folder.\n`);
  }
  await put(`${counted(valid, "valid agent")}, ${counted(wrong, "fault")}\n`);
  return wrong === 0 ? 0 : 1;
}
