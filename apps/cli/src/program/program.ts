import { Command, Option } from "commander";
import { version } from "../../package.json";
import type { Cancellation } from "../cancellation.ts";
import type { ParseCommandOptions } from "../commands/parse/parse-command.ts";
import type { RunCommandOptions } from "../commands/run/run-command.ts";
import { exitCodeMeanings } from "../errors/exit-code.ts";
import { presets } from "../setup/provider/presets.ts";
import { namedTools } from "../show/tool-names.ts";
import { visible } from "../terminal/text.ts";
import { addChatCommand } from "./chat-program.ts";
import { addHistoryCommands } from "./history-program.ts";
import { amountOption, countOption, filled, startInOption, storeOption, valueOption } from "./options.ts";
import { addTraceCommand } from "./trace-program.ts";

/** The command line as commander reads it. Calls `exit` with the exit code of the command. */
export function createProgram(cancellation: Cancellation, exit: (code: number) => void): Command {
  const program = new Command("cogency")
    .description("Run a streaming agent in a folder, read its wire protocol, look at its conversations.")
    .version(version, "--version", "print the version")
    .helpOption("--help", "show this help")
    .helpCommand(false)
    .configureOutput({ outputError: (text, write) => write(visible(text)) })
    .showHelpAfterError('Run "cogency --help" to see what there is.')
    .addHelpText("after", exitCodesText)
    .exitOverride();

  const run = program
    .command("run", { isDefault: true })
    .description('say something to the agent; it works in the root folder until it has answered; "run" may be left out')
    .argument(
      "[prompt...]",
      'what to say; @picture.png in it attaches an image or a PDF; piped text follows it, or is it; "-" waits for piped text',
    )
    .addOption(repeated("--attach <path>", "an image or a PDF file for the model; as @picture.png in the prompt"))
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
    .option("--repair", "run blocks, too, that have one lossless reading")
    .addOption(valueOption("--prices <file>", "what models cost, as JSON; the run then tells its cost"))
    .addOption(valueOption("--conversation <id>", "go on with a conversation, or begin it under this name"))
    .addOption(
      new Option(
        "--resume [conversation]",
        "go on with a conversation, by its id, the beginning of its id, or words of its title; without a prompt, where it was left",
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
    .addOption(countOption("--max-steps <count>", "end the run after so many steps"))
    .addOption(amountOption("--max-cost <amount>", "end the run before it costs more, in the currency of --prices"))
    .addOption(amountOption("--max-seconds <seconds>", "end the run after this time; 600 if absent"))
    .addOption(valueOption("--root <folder>", "the folder that the tools work in").default("."))
    .addOption(
      new Option("--access <level>", "sandbox: .cogency/sandbox in the root; project: the root; system: every file")
        .choices(["sandbox", "project", "system"])
        .default("project"),
    )
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
        "auto: isolate programs that shell runs, where that works; required: run none else",
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
    .addOption(new Option("--quiet", "of the run, show only the answer, questions and problems").conflicts("json"))
    .option("--yes", "allow every tool without asking, unless something speaks against a call")
    .addOption(new Option("--deny", "deny whatever would be asked").conflicts("yes"))
    .addOption(
      new Option("--wait", "without a terminal, end and wait for an answer instead of denying").conflicts([
        "yes",
        "deny",
      ]),
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
    .action(async (words: readonly string[], options: RunCommandOptions) => {
      const { runCommand } = await import("../commands/run/run-command.ts");
      exit(await runCommand(words.length === 0 ? undefined : words.join(" "), options, cancellation));
    });

  program
    .command("parse")
    .description("read what a model wrote from stdin and print its events, one line of JSON each")
    .addOption(
      new Option("--stream <view>", "token: pieces as they arrive; event: whole units")
        .choices(["token", "event"])
        .default("event"),
    )
    .addOption(startInOption("think: the text begins inside of a think block"))
    .option("--repair", "read blocks, too, that have one lossless reading")
    .addOption(
      new Option("--results <policy>", "allow: the text is a transcript with results of the system's own")
        .choices(["forbid", "allow"])
        .default("forbid"),
    )
    .addOption(
      new Option("--finish <reason>", "how the generation ended")
        .choices(["stop", "length", "tool_calls", "content_filter", "aborted", "other"])
        .default("stop"),
    )
    .action(async (options: ParseCommandOptions) => {
      const { parseCommand } = await import("../commands/parse/parse-command.ts");
      await parseCommand(options);
    });

  program
    .command("doctor")
    .description("tell whether programs can be isolated here, and where the key and the store are")
    .action(async () => {
      const { doctor } = await import("../commands/doctor/doctor.ts");
      await doctor();
    });

  addChatCommand(program, run, cancellation, exit);
  addHistoryCommands(program, cancellation, exit);
  addTraceCommand(program);
  return program;
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
  cogency run --base-url http://localhost:11434/v1 --model qwen3 "what does this project do?"
  git diff | cogency "review this"
`;

const exitCodesText = `
Exit codes:
${exitCodeMeanings.map(([code, meaning]) => `  ${String(code).padEnd(5)}${meaning}`).join("\n")}
`;
