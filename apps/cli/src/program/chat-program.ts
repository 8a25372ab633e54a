import type { Command } from "commander";
import type { Cancellation } from "../base/cancellation.ts";
import type { ChatCommandOptions } from "../chat/chat-command.ts";
import { type OptionName, optionsOf } from "../place/config/option-table.ts";
import { typedOptions } from "./config-program.ts";
import { addOptions } from "./options.ts";

/** `cogency chat`: takes the options of `run` that have a meaning there. */
export function addChatCommand(program: Command, cancellation: Cancellation, exit: (code: number) => void): void {
  const chat = program
    .command("chat")
    .description("talk with the agent at a terminal; cogency alone does the same")
    .argument("[prompt...]", "what to say first");
  const isOfRun = (name: OptionName) => optionsOf("run").includes(name);
  addOptions(chat, "chat", isOfRun).option(
    "--resume [conversation]",
    "go on with a conversation, as run --resume finds it; without one, pick it",
  );
  addOptions(chat, "chat", (name) => !isOfRun(name)).action(
    async (words: readonly string[], options: ChatCommandOptions, command: Command) => {
      const { chatCommand } = await import("../chat/chat-command.ts");
      const typed = typedOptions(command);
      exit(await chatCommand(words.length === 0 ? undefined : words.join(" "), { ...options, typed }, cancellation));
    },
  );
}
