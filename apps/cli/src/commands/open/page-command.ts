import { Problem } from "@cogency/server";
import type { MessageContent } from "@cogency/storage";
import { commandFiles } from "../../work/commands/command-files.ts";
import type { OpenAgent } from "../../work/open-agent.ts";

/**
 * What a message says that names a command, `/fix 12`: the line, and the text of the command. It begins a turn. Other messages are
 * returned as they are.
 *
 * A message has no place for what a command brings beside its text. So one that a project brings, one that changes nothing, and one that
 * attaches files are refused; and what a command allows without a question asks here.
 *
 * @throws Problem for a command that is refused
 */
export async function pageCommand(
  message: MessageContent,
  { commands, root }: Pick<OpenAgent, "commands" | "root">,
): Promise<MessageContent> {
  if (message.kind !== "prompt" && message.kind !== "steer") return message;
  const command = await commands.expand(message.content);
  if (command === undefined) return message;
  const why =
    command.holds.length > 0
      ? "what it says is not yours"
      : command.turn.readOnlyBut !== undefined
        ? "nothing may be changed until its turn ends"
        : (await commandFiles(message.content, command, root.given)).length > 0
          ? "it attaches files"
          : undefined;
  if (why !== undefined)
    throw new Problem(
      "conflict",
      `/${command.command.name} cannot be sent from the page: ${why}. Use it in the chat, or with cogency run.`,
    );
  return { ...message, kind: "prompt", content: command.text };
}
