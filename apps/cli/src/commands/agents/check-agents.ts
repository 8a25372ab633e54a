import { checkTexts } from "../lists/check-texts.ts";
import { agentsIn } from "./agents-in.ts";
import { type AgentToolOptions, toolNamesHere } from "./tool-names-here.ts";

/**
 * `cogency agents check`; see `checkTexts`.
 *
 * @throws UsageError for a file or folder that there is not, and for a `--tool` that is none
 */
export async function checkAgents(named: readonly string[], options: AgentToolOptions): Promise<number> {
  const tools = await toolNamesHere(options);
  const nothing = "There is no file of an agent (*.md) in this folder.";
  return checkTexts({ kind: "agents", one: "agent", read: (place) => agentsIn(place, tools), nothing }, named);
}
