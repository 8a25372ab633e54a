import type { Provider } from "@cogency/provider";
import { messageOf } from "../../base/errors/message-of.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { presets } from "../../place/provider/presets.ts";
import { chooseProvider, type ProviderChoice } from "../provider/choose-provider.ts";

/** Which model an agent has, or why it has that of the conversation. */
export type AgentModel = { readonly provider: Provider } | { readonly problem: string } | undefined;

/**
 * Finds the model that the file of an agent names: `name` is one of the server of the conversation, `server/name` one of another server
 * that cogency knows, with the key that belongs to that server and no other. A file of a project names no other server: what the
 * conversation holds goes only where the person sends it. It names no model in a file either, which would be loaded into this process.
 *
 * @param now the model of the conversation
 * @returns undefined if it is that of the conversation
 */
export async function agentModel(
  wanted: string,
  choice: ProviderChoice,
  now: Pick<Provider, "name" | "model">,
  isOfProject: boolean,
): Promise<AgentModel> {
  const [, server, ofServer] = /^([a-z]+)\/(.+)$/.exec(wanted) ?? [];
  const here = choice.provider ?? now.name;
  const isHere = server === here;
  // Its own models have such names.
  const isKnown = here !== "openrouter" && server !== undefined && servers.has(server);
  const model = isKnown && ofServer !== undefined ? ofServer : wanted;
  if (model === now.model && (!isKnown || isHere)) return undefined;
  if (isKnown && !isHere && isOfProject)
    return { problem: `the file of a project cannot send work to another server (${server})` };
  if (here === "llama" && isOfProject) return { problem: "the file of a project cannot name the file of a model" };
  if (aliases.has(model)) return { problem: `"${model}" is a name that only another program knows` };
  const others = isKnown && !isHere ? { root: choice.root, provider: server } : choice;
  try {
    return { provider: await chooseProvider({ ...others, model }, () => {}) };
  } catch (error) {
    if (error instanceof UsageError) return { problem: messageOf(error) };
    throw error;
  }
}

const servers: ReadonlySet<string> = new Set(["openai", "anthropic", "google", ...presets]);

/** Of Claude Code. */
const aliases: ReadonlySet<string> = new Set(["sonnet", "opus", "haiku", "fable", "default"]);
