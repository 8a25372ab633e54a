import { nearestNames } from "@cogency/protocol/options";
import { UsageError } from "../../base/errors/usage-error.ts";
import { note } from "../../base/terminal/note.ts";
import type { TurnRules } from "../../place/rules/turn-rules.ts";
import { mentionedResources, namesOf } from "../mcp/mentioned-resources.ts";
import type { OpenAgent } from "../open-agent.ts";
import { type Prompt, privateIn, sourceOf } from "../prompt/read-prompt.ts";
import { commandFiles, heldIn } from "./command-files.ts";
import { commandLine, type OpenCommands } from "./open-commands.ts";

/** What is said to the agent, and what counts for it. */
export interface Said {
  readonly prompt: Prompt;
  /** What in it nobody vouches for, and what in it is private; undefined if nothing is. */
  readonly untrusted: string | undefined;
  readonly private: string | undefined;
  /** What counts until its turn ends. */
  readonly turn?: TurnRules;
}

/**
 * The prompt of a run. If what was typed names a command, its text follows the line; what was piped in follows both. Piped text alone
 * names no command: nobody typed it.
 *
 * @param typed undefined if nothing was typed
 * @param chatNames the names of commands that only a chat has
 * @throws UsageError for a name that is that of a command of the chat, or nearly that of a command, and for a file that cannot be attached
 */
export async function withCommand(
  prompt: Prompt,
  typed: string | undefined,
  { root, commands, mcp }: Pick<OpenAgent, "root" | "commands" | "mcp">,
  chatNames: () => Promise<readonly string[]>,
): Promise<Said> {
  const asIs = (said: Prompt) => ({ prompt: said, untrusted: sourceOf(said, root), private: privateIn(said) });
  if (typed === undefined || !prompt.text.startsWith(typed)) return asIs(prompt);
  const resources = await mentionedResources(typed, mcp);
  const command = await commands.expand(typed);
  if (command === undefined) {
    await refuseSlip(typed, commands, chatNames);
    return asIs({ ...prompt, files: [...prompt.files, ...resources] });
  }
  note(command.told);
  const mentioned = await commandFiles(typed, command, root.given, namesOf(mcp.found));
  const all = [...prompt.files, ...mentioned, ...resources];
  const files = [...new Map(all.map((file) => [file.real, file])).values()];
  const whole = { ...prompt, text: command.text + prompt.text.slice(typed.length), files };
  return {
    prompt: whole,
    untrusted: heldIn(command, "untrusted", sourceOf(whole, root)),
    private: heldIn(command, "private", privateIn(whole)),
    turn: command.turn,
  };
}

/** A line with the name of no command is a prompt like any other, such as one about /tmp. */
async function refuseSlip(
  typed: string,
  commands: OpenCommands,
  chatNames: () => Promise<readonly string[]>,
): Promise<void> {
  const { name } = commandLine(typed) ?? {};
  if (name === undefined || name.includes("/")) return;
  if ((await chatNames()).includes(name))
    throw new UsageError(`/${name} is a command of the chat. To say this to the model, begin with another word.`);
  const [nearest] = nearestNames(
    name,
    (await commands.list()).commands.map((command) => command.name),
  );
  if (nearest !== undefined) throw new UsageError(`There is no command /${name}. Did you mean /${nearest}?`);
}
