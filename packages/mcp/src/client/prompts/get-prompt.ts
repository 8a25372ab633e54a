import type { Json } from "@cogency/protocol";
import { McpError } from "../errors.ts";
import type { McpPrompt, McpPromptText } from "../mcp.ts";
import type { InputRounds } from "../questions/input-rounds.ts";
import type { ServerLink } from "../server-link.ts";
import { hiddenIn } from "../text/hidden-in.ts";
import { promptText } from "./prompt-text.ts";

/**
 * Asks a server for a prompt with arguments, and joins its messages to a text for the user's turn.
 *
 * @param prompts those that the server lists
 * @throws McpError `not_found` for another prompt, `invalid_arguments` that names each argument; the reason of the signal
 */
export async function getPrompt(
  link: ServerLink,
  prompts: readonly McpPrompt[],
  name: string,
  args: Readonly<Record<string, string>>,
  { rounds, signal }: { readonly rounds: InputRounds; readonly signal: AbortSignal },
): Promise<McpPromptText> {
  const { server } = link;
  const prompt = prompts.find((one) => one.name === name);
  if (!prompt) throw unknownPrompt(server, name, prompts);
  checkArguments(prompt, args);
  const client = await link.connected(signal);
  const timeout = link.options.timeouts?.call ?? 60_000;
  try {
    const result = await rounds.send(
      (answered) =>
        client.getPrompt({ name, arguments: { ...args }, ...answered }, { signal, timeout, allowInputRequired: true }),
      undefined,
      signal,
    );
    return promptText(server, hiddenIn(result.messages as Json, (text) => link.hide(text)) as typeof result.messages);
  } catch (error) {
    signal.throwIfAborted();
    throw link.problem(error);
  }
}

function unknownPrompt(server: string, name: string, prompts: readonly McpPrompt[]): McpError {
  const names = prompts.slice(0, 20).map((one) => one.name);
  const more = prompts.length > names.length ? `, and ${prompts.length - names.length} more` : "";
  const has = names.length === 0 ? "It has none." : `It has: ${names.join(", ")}${more}.`;
  return new McpError("not_found", server, `The server ${server} has no prompt ${JSON.stringify(name)}. ${has}`);
}

function checkArguments({ server, name, args }: McpPrompt, given: Readonly<Record<string, string>>): void {
  const wrong = (problem: string) =>
    new McpError("invalid_arguments", server, `The prompt ${JSON.stringify(name)} of ${server} ${problem}`);
  const known = args.map((one) => one.name);
  const unknown = Object.keys(given).filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    const takes = known.length === 0 ? "It takes none." : `It takes: ${known.join(", ")}.`;
    throw wrong(`takes no argument ${unknown.join(", ")}. ${takes}`);
  }
  const missing = args.filter((one) => one.required && given[one.name] === undefined).map((one) => one.name);
  if (missing.length > 0) throw wrong(`needs the argument${missing.length > 1 ? "s" : ""} ${missing.join(", ")}.`);
  const strange = Object.keys(given).filter((key) => typeof given[key] !== "string");
  if (strange.length > 0) throw wrong(`takes texts, and ${strange.join(", ")} is none.`);
}
