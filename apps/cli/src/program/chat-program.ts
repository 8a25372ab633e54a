import { type Command, Option } from "commander";
import type { Cancellation } from "../base/cancellation.ts";
import type { ChatCommandOptions } from "../chat/chat-command.ts";
import { typedModelOptions } from "./config-program.ts";
import { amountOption, countOption } from "./options.ts";

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
    .addOption(
      new Option(
        "--notify [how]",
        "tell you that a question waits, or that a turn of more than 10 s has ended: osc9, a message of the terminal, the default; bell",
      )
        .choices(["osc9", "bell"])
        .preset("osc9"),
    )
    .option("--plain", "lines that are only added, for screen readers; also where TERM is dumb")
    .addOption(
      countOption(
        "--context-window <tokens>",
        "how many tokens the model's context takes; the chat then shows what is left",
      ),
    )
    .addOption(
      countOption(
        "--ask-after-steps <count>",
        "ask whether to go on after this many steps without your word; 100 if absent",
      ),
    )
    .addOption(amountOption("--ask-after-minutes <minutes>", "ask after this time without your word; 30 if absent"))
    .action(async (words: readonly string[], options: ChatCommandOptions, command: Command) => {
      const { chatCommand } = await import("../chat/chat-command.ts");
      const typed = typedModelOptions(command);
      exit(await chatCommand(words.length === 0 ? undefined : words.join(" "), { ...options, typed }, cancellation));
    });
}
