import { Command, Option } from "commander";
import { version } from "../../package.json";
import type { Cancellation } from "../base/cancellation.ts";
import { exitCodeMeanings } from "../base/errors/exit-code.ts";
import { visible, widthOr, wordWrapped } from "../base/terminal/text.ts";
import { namedTools } from "../base/tool-names.ts";
import type { RunCommandOptions } from "../commands/run/run-command.ts";
import { addChatCommand } from "./chat-program.ts";
import { addConfigCommands, addConfiguration, addConfigurationOptions, typedModelOptions } from "./config-program.ts";
import { addConversationCommands, addRewindCommand } from "./conversation-program.ts";
import { addFormatCommand, addParseCommand } from "./format-program.ts";
import { addHistoryCommands } from "./history-program.ts";
import { addOpenCommand, addTraceCommand } from "./open-program.ts";
import { addSettings, filled, repeated, settingOption, storeOption, valueOption } from "./options.ts";
import { addSetupCommands } from "./setup-program.ts";
import { addToolsCommands } from "./tools-program.ts";
import { addWorkersCommand } from "./workers-program.ts";

/** The command line as commander reads it. Calls `exit` with the exit code of the command. */
export function createProgram(cancellation: Cancellation, exit: (code: number) => void): Command {
  const program = new Command("cogency")
    .usage(
      '"what to do"     work until it is done\n       cogency                  chat, at a terminal\n       cogency <command>',
    )
    .description("Run a streaming agent in a folder, and look after its conversations.")
    .version(version, "-v, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand(false)
    .configureHelp({ helpWidth: helpWidth(), subcommandTerm: (command) => command.name() })
    .configureOutput({ outputError: (text, write) => write(visible(text)) })
    .showHelpAfterError('Run "cogency --help" to see what there is.')
    .addHelpText("after", exitCodesText)
    .exitOverride();

  const run = program
    .command("run", { isDefault: true })
    .description('say something to the agent; it works in the root folder until it has answered; "run" may be left out')
    .argument(
      "[prompt...]",
      'what to say; @picture.png or @main.ts in it attaches the file; piped text follows it, or is it; "-" waits for piped text',
    )
    .addOption(repeated("--attach <path>", "a file for the model; as @picture.png or @main.ts in the prompt"));
  addSettings(run, "provider", "model", "baseUrl", "apiKeyEnv", "api", "driver", "dialect", "startIn", "repair");
  addSettings(run, "prices")
    .addOption(valueOption("--conversation <id>", "go on with a conversation, or begin it under this name"))
    .addOption(
      new Option(
        "--resume [conversation]",
        "go on with a conversation, by its id, the beginning of its id, or words of its title; without one, pick it at the terminal; without a prompt, where it was left",
      ),
    )
    .addOption(
      new Option("-c, --continue", "go on with the latest conversation of this folder").conflicts([
        "conversation",
        "resume",
        "ephemeral",
      ]),
    )
    .addOption(
      new Option("--ephemeral", "keep nothing: the conversation is in memory only").conflicts([
        "conversation",
        "resume",
        "store",
        "wait",
      ]),
    );
  addSettings(run, "maxSteps", "maxCost", "maxSeconds", "maxTokens", "maxCalls", "maxFailedCalls", "maxRepeats");
  addSettings(run, "maxFailures")
    .addOption(valueOption("--root <folder>", "the folder that the tools work in").default("."))
    .addOption(settingOption("access"))
    .addOption(settingOption("tools").argParser((text: string) => namedTools("--tools", filled("--tools", text))));
  addSettings(run, "sandbox", "network", "untrusted", "recall")
    .addOption(storeOption())
    .addOption(settingOption("redact"))
    .addOption(settingOption("stream"))
    .addOption(
      valueOption("--schema <file>", "a JSON Schema; the answer is JSON that fits it").conflicts(["stream", "wait"]),
    )
    .option("--json", "events as JSON lines, then one result record")
    .addOption(settingOption("quiet").conflicts("json"))
    .addOption(settingOption("yes"))
    .addOption(settingOption("deny").conflicts("yes"))
    .addOption(settingOption("wait").conflicts(["yes", "deny"]));
  addSettings(run, "allow", "content")
    .addHelpText("after", `${examplesText}${exitCodesText}`)
    .action(async (words: readonly string[], options: RunCommandOptions, command: Command) => {
      const { runCommand } = await import("../commands/run/run-command.ts");
      const typed = typedModelOptions(command);
      exit(await runCommand(words.length === 0 ? undefined : words.join(" "), { ...options, typed }, cancellation));
    });

  addConfigurationOptions(run);
  addConfiguration(program);
  addChatCommand(program, run, cancellation, exit);
  addConversationCommands(program, exit);
  addHistoryCommands(program, cancellation, exit);
  addTraceCommand(program);
  addRewindCommand(program, exit);
  addWorkersCommand(program);
  addOpenCommand(program, run, cancellation, exit);
  addConfigCommands(program, run);
  addSetupCommands(program, run, exit);
  addToolsCommands(program, run, cancellation, exit);
  addParseCommand(program);
  addFormatCommand(program);
  for (const command of program.commands) command.helpGroup(groups[command.name()] ?? "Other commands:");
  nameHelp(program, "cogency");
  return program;
}

/** After an error, each command names its own help. */
function nameHelp({ commands }: Command, path: string): void {
  for (const command of commands) {
    const whole = `${path} ${command.name()}`;
    command.showHelpAfterError(`Run "${whole} --help" to see what it takes.`);
    nameHelp(command, whole);
  }
}

/** The headings under which the help lists the commands. */
const groups: Readonly<Record<string, string>> = {
  run: "Work:",
  chat: "Work:",
  history: "Conversations:",
  open: "Conversations:",
  trace: "Conversations:",
  rewind: "Conversations:",
  workers: "Conversations:",
  fork: "Conversations:",
  attach: "Conversations:",
  approve: "Conversations:",
  deny: "Conversations:",
  answer: "Conversations:",
  cancel: "Conversations:",
  replay: "Conversations:",
  config: "This installation:",
  trust: "This installation:",
  models: "This installation:",
  doctor: "This installation:",
  completion: "This installation:",
  tools: "For builders:",
  parse: "For builders:",
  format: "For builders:",
  init: "For builders:",
};

/** Columns of the help: those of the terminal, but no more than are easy to read. */
function helpWidth(): number {
  return Math.min(80, widthOr(process.stdout, 80));
}

const examplesText = `
Examples:
  cogency "list src and read package.json"
  cogency run --conversation notes "write 'buy milk' to todo.txt" --allow write
  cogency run "what is on @picture.png?"
  cogency run --schema person.json "who wrote this?" --attach letter.pdf
  cogency --resume notes
  cogency --base-url http://localhost:11434/v1 --model qwen3 "what is this?"
  git diff | cogency "review this"
`;

const exitCodesText = `
Exit codes:
${exitCodeMeanings.map(([code, meaning]) => `  ${String(code).padEnd(5)}${wordWrapped(meaning, 72).join("\n       ")}`).join("\n")}
`;
