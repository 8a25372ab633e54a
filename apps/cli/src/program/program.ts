import { Command, Option } from "commander";
import { version } from "../../package.json";
import type { Cancellation } from "../base/cancellation.ts";
import { exitCodeMeanings } from "../base/errors/exit-code.ts";
import { visible, widthOr, wordWrapped } from "../base/terminal/text.ts";
import { namedTools } from "../base/tool-names.ts";
import type { RunCommandOptions } from "../commands/run/run-command.ts";
import { presets } from "../place/provider/presets.ts";
import { addChatCommand } from "./chat-program.ts";
import { addConfigCommands, addConfiguration, addConfigurationOptions, typedModelOptions } from "./config-program.ts";
import { addConversationCommands, addRewindCommand } from "./conversation-program.ts";
import { addFormatCommand, addParseCommand } from "./format-program.ts";
import { addHistoryCommands } from "./history-program.ts";
import { addOpenCommand, addTraceCommand } from "./open-program.ts";
import { accessOption, amountOption, countOption, filled, startInOption, storeOption, valueOption } from "./options.ts";
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
    .addOption(repeated("--attach <path>", "a file for the model; as @picture.png or @main.ts in the prompt"))
    .addOption(
      valueOption(
        "--provider <name>",
        `offline, openai, anthropic, google, ${presets.join(", ")}, or a provider package by its name or path`,
      ),
    )
    .addOption(valueOption("--model <name>", "the provider's own default if absent"))
    .addOption(valueOption("--base-url <url>", "where the provider's server is, such as http://localhost:11434/v1"))
    .addOption(
      valueOption(
        "--api-key-env <name>",
        "the environment variable whose key belongs to that server; keys of other servers are not sent to it",
      ),
    )
    .addOption(
      new Option(
        "--api <wire>",
        "OpenAI API to use; responses with its own servers, chat with others if absent",
      ).choices(["chat", "responses", "realtime"]),
    )
    .addOption(
      new Option(
        "--driver <name>",
        "protocol: calls are text; native: the provider's own calls; react: one JSON decision a step; auto: native where there is one",
      )
        .choices(["protocol", "native", "react", "auto"])
        .default("protocol"),
    )
    .addOption(
      new Option("--dialect <name>", "how the model writes calls as text; a conversation may change it at any turn")
        .choices(["json", "xml"])
        .default("json"),
    )
    .addOption(startInOption("think: the model's chat template opens the think block, so answers begin inside of it"))
    .option("--repair", "run a malformed block, too, if it can be read in one way only, without loss")
    .addOption(valueOption("--prices <file>", "what models cost, as JSON; the run then shows its cost"))
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
    )
    .addOption(countOption("--max-steps <count>", "end the run after this many steps; 200 if absent, none in a chat"))
    .addOption(amountOption("--max-cost <amount>", "end the run before it costs more, in the currency of --prices"))
    .addOption(amountOption("--max-seconds <seconds>", "end the run after this time; 10800 if absent, none in a chat"))
    .addOption(countOption("--max-tokens <count>", "end the run before it needs more; what is sent again counts once"))
    .addOption(countOption("--max-calls <count>", "end the run before it makes more calls"))
    .addOption(
      countOption("--max-failed-calls <count>", "end the run after this many failed calls in a row; 8 if absent"),
    )
    .addOption(
      countOption(
        "--max-repeats <count>",
        "end the run after as many times the same calls and results in a row; 3 if absent",
      ),
    )
    .addOption(
      countOption("--max-failures <count>", "end the run after this many unusable answers in a row; 3 if absent"),
    )
    .addOption(valueOption("--root <folder>", "the folder that the tools work in").default("."))
    .addOption(accessOption("sandbox: .cogency/sandbox in the root; project: the root; system: every file"))
    .addOption(
      valueOption(
        "--tools <names>",
        "which tools, separated by commas; all that have what they need if absent",
        (text) => namedTools("--tools", text),
      ),
    )
    .addOption(
      new Option(
        "--sandbox <mode>",
        "auto: isolate programs that shell runs, where that works; required: run nothing where it does not",
      )
        .choices(["auto", "required", "off"])
        .default("auto"),
    )
    .addOption(
      repeated("--network <host>", 'a host that isolated programs may reach, such as api.example.com:443, or "full"'),
    )
    .addOption(repeated("--untrusted <glob>", "files with text from untrusted sources, such as vendor/**"))
    .addOption(
      new Option("--recall <reach>", "project: recall finds conversations of the same root; everywhere: all of them")
        .choices(["project", "everywhere"])
        .default("project"),
    )
    .addOption(storeOption())
    .option("--redact", "keep what looks like a secret out of the store")
    .addOption(
      new Option(
        "--stream <view>",
        "token: as it arrives, the default; event: whole units, the default with --json; none: no streaming",
      ).choices(["token", "event", "none"]),
    )
    .addOption(
      valueOption("--schema <file>", "a JSON Schema; the answer is JSON that fits it").conflicts(["stream", "wait"]),
    )
    .option("--json", "events as JSON lines, then one result record")
    .addOption(new Option("--quiet", "show only the answer, questions and problems").conflicts("json"))
    .option("--yes", "allow every tool without asking, unless there is a reason against a call")
    .addOption(new Option("--deny", "deny every call that would be asked about").conflicts("yes"))
    .addOption(
      new Option(
        "--wait",
        "without a terminal, end with exit code 6 where a call needs an answer, instead of denying it",
      ).conflicts(["yes", "deny"]),
    )
    .addOption(
      repeated(
        "--allow <rule>",
        'what runs without asking: tools such as read,write, or calls such as "shell:git status" and scrape:docs.example.org',
      ),
    )
    .addOption(
      new Option(
        "--content <policy>",
        "ask: calls with effects ask once untrusted text was read, and calls that reach outside once private text was; allow: they do not",
      )
        .choices(["ask", "allow"])
        .default("ask"),
    )
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

/** An option that may be given several times; its values add up. */
function repeated(flags: string, description: string): Option {
  const option = valueOption(flags, description);
  return option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), filled(option, value)]);
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
