import type { Command } from "commander";
import type { Cancellation } from "../base/cancellation.ts";
import type { ChatCommandOptions } from "../chat/chat-command.ts";
import { typedModelOptions } from "./config-program.ts";
import { addSettings, settingOption } from "./options.ts";

/** Options of `run` that mean nothing in a chat. */
const notInChat: ReadonlySet<string | undefined> = new Set([
  "--attach",
  "--resume",
  "--stream",
  "--schema",
  "--json",
  "--quiet",
  "--wait",
]);

/** `cogency chat`: takes the options of `run` that have a meaning there. */
export function addChatCommand(
  program: Command,
  run: Command,
  cancellation: Cancellation,
  exit: (code: number) => void,
): void {
  const chat = program
    .command("chat")
    .description("talk with the agent at a terminal; cogency alone does the same")
    .argument("[prompt...]", "what to say first");
  for (const option of run.options) if (!notInChat.has(option.long)) chat.addOption(option);
  chat
    .option("--resume [conversation]", "go on with a conversation, as run --resume finds it; without one, pick it")
    .addOption(settingOption("notify").preset("osc9"));
  addSettings(chat, "plain", "contextWindow", "askAfterSteps", "askAfterMinutes").action(
    async (words: readonly string[], options: ChatCommandOptions, command: Command) => {
      const { chatCommand } = await import("../chat/chat-command.ts");
      const typed = typedModelOptions(command);
      exit(await chatCommand(words.length === 0 ? undefined : words.join(" "), { ...options, typed }, cancellation));
    },
  );
}
