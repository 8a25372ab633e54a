import type { McpPrompt } from "@cogency/mcp";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { CommandPrompt } from "../commands/command-prompt.ts";
import type { OpenCommand } from "../commands/open-command.ts";
import { promptArguments } from "./prompt-arguments.ts";
import { serverPlace } from "./server-place.ts";
import type { Servers } from "./servers.ts";

/** The prompts of the servers that are ready, as commands: `/docs:review`. */
export function promptCommands({ mcp }: Pick<Servers, "mcp">): OpenCommand[] {
  return (mcp?.prompts() ?? []).map((prompt) => ({
    name: commandName(prompt),
    description: oneLine(prompt.description ?? prompt.title ?? "", 400),
    argumentHint: prompt.args.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`)).join(" "),
    text: "",
    place: serverPlace(prompt.server),
    isOwn: false,
  }));
}

/**
 * Asks the server for the prompt that a command stands for; connects it first, if need be. What it says is untrusted.
 *
 * @returns undefined for a name of no prompt
 * @throws UsageError for arguments that the prompt does not take; McpError
 */
export async function expandPrompt(
  { mcp }: Pick<Servers, "mcp">,
  name: string,
  given: string,
): Promise<CommandPrompt | undefined> {
  const [server = ""] = name.split(":", 1);
  if (!mcp?.servers().some((state) => state.name === server)) return undefined;
  const [state] = (await mcp.connect({ servers: [server] })).filter((one) => one.name === server);
  if (state?.status !== "ready")
    throw new UsageError(
      oneLine(
        `/${name} cannot be used: the server ${server} is not there${state?.reason ? `: ${state.reason}` : "."}`,
        600,
      ),
    );
  const prompt = mcp.prompts().find((one) => commandName(one) === name);
  if (prompt === undefined) return undefined;
  const args = promptArguments(prompt, given, name);
  const { text, attachments = [] } = await mcp.prompt(server, prompt.name, args);
  const source = serverPlace(server);
  const head = `/${name}${given === "" ? "" : ` ${given}`}`;
  const command = promptCommands({ mcp }).find((one) => one.name === name);
  if (command === undefined) return undefined;
  return {
    command,
    text: `${head}\n\nThe server ${server} says about that:\n\n${text}`,
    limits: undefined,
    attached: attachments.map((attachment, at) => ({
      asked: `${name} ${at + 1}`,
      real: `${source} ${name} ${at + 1}`,
      isUntrusted: true,
      attachment,
    })),
    holds: [{ holds: "untrusted", source }],
    turn: { allow: [] },
    told: `/${name}: a prompt of the server ${server}. What it says counts as untrusted.`,
  };
}

/** Servers call prompts as they like, and a command is one word. */
function commandName({ server, name }: McpPrompt): string {
  return `${server}:${name.replace(/[^\w-]+/g, "-")}`;
}
