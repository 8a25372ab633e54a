import type { Command } from "commander";
import type { Answer, AnswerCommandOptions } from "../commands/answer-command.ts";
import type { AttachCommandOptions } from "../commands/attach/attach-command.ts";
import type { DiffCommandOptions } from "../commands/diff-command.ts";
import type { ForkCommandOptions } from "../commands/fork-command.ts";
import type { NotifyCommandOptions } from "../commands/notify-command.ts";
import type { ReplayCommandOptions } from "../commands/replay-command.ts";
import type { RewindOptions } from "../commands/rewind.ts";
import { numberOption, optionOf, valueOption } from "./options.ts";
import { addPointCommands } from "./points-program.ts";

const conversationArgument = ["<conversation>", "its id, the beginning of its id, or words of its title"] as const;

/** The commands on one conversation: answers to its questions, forks, and what watches it. */
export function addConversationCommands(program: Command, exit: (code: number) => void): void {
  const answering = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .argument(...conversationArgument)
      .addOption(optionOf("store"));
  const answer = async (
    conversation: string,
    question: string | undefined,
    given: Answer,
    options: AnswerCommandOptions,
  ) => {
    const { answerCommand } = await import("../commands/answer-command.ts");
    exit(await answerCommand(conversation, question, given, options));
  };
  const questionArgument = [
    "[question]",
    "its id, or how that begins; absent: print the open ones, with all that will run",
  ] as const;

  answering("approve", "allow a call that a run asks about, from another terminal")
    .argument(...questionArgument)
    .action((conversation: string, question: string | undefined, options: AnswerCommandOptions) =>
      answer(conversation, question, { kind: "approve" }, options),
    );
  answering("deny", "refuse a call that a run asks about, from another terminal")
    .argument(...questionArgument)
    .addOption(valueOption("--reason <why>", "why not; the model reads it"))
    .action((conversation: string, question: string | undefined, options: AnswerCommandOptions) =>
      answer(conversation, question, { kind: "deny" }, options),
    );
  answering("answer", "answer a question that a tool asks, from another terminal")
    .argument("<question>", "its id, or how that begins")
    .argument("<content>", "a text, or JSON where the question wants that")
    .action((conversation: string, question: string, content: string, options: AnswerCommandOptions) =>
      answer(conversation, question, { kind: "answer", content }, options),
    );
  answering("cancel", "end the run that is at work on a conversation")
    .addOption(valueOption("--reason <why>", "kept in the log"))
    .action(async (conversation: string, options: AnswerCommandOptions) => {
      const { cancelCommand } = await import("../commands/answer-command.ts");
      exit(await cancelCommand(conversation, options));
    });

  answering("notify", "tell the model of a conversation what something outside says, such as a job that has ended")
    .argument("[text...]", 'the words; piped text, which is untrusted, if absent or "-"')
    .addOption(valueOption("--source <name>", "who says it, such as ci").default("terminal"))
    .addOption(
      valueOption("--topic <name>", "of notices of one topic and source that wait, the model reads the last one"),
    )
    .option("--no-wake", "begin no turn: the model reads it with the next one, or before its next request")
    .action(async (conversation: string, words: string[], options: NotifyCommandOptions) => {
      const { notifyCommand } = await import("../commands/notify-command.ts");
      exit(await notifyCommand(conversation, words, options));
    });

  program
    .command("fork")
    .description("begin a conversation with the first events of another one, to try another way")
    .argument(...conversationArgument)
    .addOption(optionOf("store"))
    .addOption(
      valueOption(
        "--at <point>",
        "a number of events, turn:2, message:3 for all before your third message, or a name; all if absent",
      ),
    )
    .addOption(valueOption("--as <name>", "the name of the fork; a random one if absent"))
    .action(async (conversation: string, options: ForkCommandOptions) => {
      const { forkCommand } = await import("../commands/fork-command.ts");
      await forkCommand(conversation, options);
    });

  addPointCommands(program);

  answering("attach", "watch the run of another process, steer it and answer its questions")
    .option("--plain", "plain lines, without a foot at the bottom; also for TERM=dumb")
    .option("--json", "print the stored events as JSON lines, and read nothing")
    .action(async (conversation: string, options: AttachCommandOptions) => {
      const { attachCommand } = await import("../commands/attach/attach-command.ts");
      exit(await attachCommand(conversation, options));
    });

  answering("replay", "print a conversation at the pace at which it happened; at once without a terminal")
    .addOption(numberOption("--speed <times>", "how many times as fast; 0: at once").default(1))
    .addOption(numberOption("--max-pause <seconds>", "the longest pause").default(5))
    .option("--thinking", "show the model's thinking, too")
    .action(async (conversation: string, options: ReplayCommandOptions) => {
      const { replayCommand } = await import("../commands/replay-command.ts");
      await replayCommand(conversation, options);
    });
}

/** `cogency diff`. */
export function addDiffCommand(program: Command): void {
  program
    .command("diff")
    .description("show what the last turn of a conversation has changed in files, by tools and by commands")
    .argument(
      "[conversation]",
      "its id, the beginning of its id, or words of its title; the latest of this folder if absent",
    )
    .addOption(valueOption("--since <turn>", "all since this turn began, by its number"))
    .option("--tree", "all that the folder holds and its last commit does not; nothing of the repository runs for it")
    .addOption(valueOption("--root <folder>", "where the folder that the agent worked in is now, if it has moved"))
    .addOption(optionOf("access", "what the agent changed with a wider access is left out"))
    .addOption(optionOf("store"))
    .action(async (conversation: string | undefined, options: DiffCommandOptions) => {
      const { diffCommand } = await import("../commands/diff-command.ts");
      await diffCommand(conversation, options);
    });
}

/** `cogency rewind`. */
export function addRewindCommand(program: Command, exit: (code: number) => void): void {
  program
    .command("rewind")
    .description("undo what the agent did to files, and go on from an earlier point of the conversation")
    .argument(
      "[conversation]",
      "its id, the beginning of its id, or words of its title; the latest of this folder if absent",
    )
    .addOption(
      valueOption(
        "--to <point>",
        "undo this and all after it: the number of a turn, a call, an undo or a name; the last turn if absent",
      ),
    )
    .option("--files", "only the files; without --to, the latest turn that can be undone")
    .option("--conversation", "only the conversation, as a new one that ends there; nothing of this one is lost")
    .addOption(valueOption("--root <folder>", "where the folder that the agent worked in is now, if it has moved"))
    .addOption(optionOf("access", "how far the undo reaches: what the agent changed with a wider access is left"))
    .option("--dry-run", "only show what would be done")
    .option("--yes", "do not ask")
    .addOption(optionOf("store"))
    .action(async (conversation: string | undefined, options: RewindOptions) => {
      const { rewind } = await import("../commands/rewind.ts");
      exit(await rewind(conversation, options));
    });
}
