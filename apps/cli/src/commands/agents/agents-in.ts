import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { FoundAgent } from "@cogency/subagents/node";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { ReadTexts } from "../../place/texts/find-texts.ts";
import { kindFoldersIn } from "../../place/texts/text-folders.ts";

/**
 * The agents that a person names: a file, a folder of them, or a project. They are read whether or not they are trusted: nothing of
 * them is used.
 *
 * @param tools the tools that there are
 * @throws UsageError if there is no such file or folder
 */
export async function agentsIn(named: string, tools: readonly string[]): Promise<ReadTexts<FoundAgent>> {
  const { readAgent, readAgents } = await import("@cogency/subagents/node");
  const path = resolve(named);
  if (!existsSync(path)) throw new UsageError(`There is no file or folder ${oneLine(named, 300)}.`);
  if (statSync(path).isDirectory()) {
    // A folder of a project holds texts that are no agents, such as README.md.
    const inside = kindFoldersIn("agents", [path]);
    const { agents, problems } = await readAgents(inside.length > 0 ? inside : [path], { tools });
    return { items: agents, problems };
  }
  const { agent, problems } = await readAgent(path, { tools });
  return { items: agent ? [agent] : [], problems };
}
