import { Command } from "commander";
import { version } from "../../package.json";
import type { Cancellation } from "../base/cancellation.ts";
import { exitCodeMeanings } from "../base/errors/exit-code.ts";
import { visible, widthOr, wordWrapped } from "../base/terminal/text.ts";
import type { RunCommandOptions } from "../commands/run/run-command.ts";
import { addAcpCommand } from "./acp-program.ts";
import { addChatCommand } from "./chat-program.ts";
import { addCompareCommand } from "./compare-program.ts";
import { addConfigCommands, addConfiguration, typedOptions } from "./config-program.ts";
import { addConversationCommands, addDiffCommand, addRewindCommand } from "./conversation-program.ts";
import { addFormatCommand, addParseCommand } from "./format-program.ts";
import { addHistoryCommands } from "./history-program.ts";
import { addHooksCommands } from "./hooks-program.ts";
import { addMcpCommands, addSandboxedCommand } from "./mcp-program.ts";
import { addMemoryCommands } from "./memory-program.ts";
import { addOpenCommand, addTraceCommand, addWhyCommand } from "./open-program.ts";
import { addOptions } from "./options.ts";
import { addSetupCommands } from "./setup-program.ts";
import { addTestCommands } from "./test-program.ts";
import { addAgentsCommands, addCustomCommands, addSkillsCommands } from "./text-programs.ts";
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
    .exitOverride()
    .commandsGroup("Work:");

  const run = program
    .command("run", { isDefault: true })
    .description('say something to the agent; it works in the root folder until it has answered; "run" may be left out')
    .argument(
      "[prompt...]",
      'what to say; @picture.png or @main.ts in it attaches the file; piped text follows it, or is it; "-" waits for piped text',
    );
  addOptions(run, "run")
    .addHelpText("after", `${examplesText}${exitCodesText}`)
    .action(async (words: readonly string[], options: Omit<RunCommandOptions, "chatNames">, command: Command) => {
      const { runCommand } = await import("../commands/run/run-command.ts");
      const typed = typedOptions(command);
      const chatNames = async () => (await import("../chat/slash/slash-commands.ts")).slashNames();
      const said = words.length === 0 ? undefined : words.join(" ");
      exit(await runCommand(said, { ...options, typed, chatNames }, cancellation));
    });

  addConfiguration(program);
  addChatCommand(program, cancellation, exit);
  program.commandsGroup("Conversations:");
  addConversationCommands(program, exit);
  addHistoryCommands(program, cancellation, exit);
  addTraceCommand(program);
  addCompareCommand(program, cancellation, exit);
  addWhyCommand(program);
  addRewindCommand(program, exit);
  addDiffCommand(program);
  addTestCommands(program);
  addWorkersCommand(program);
  addOpenCommand(program, cancellation, exit);
  addAcpCommand(program, cancellation, exit);
  program.commandsGroup("This installation:");
  addConfigCommands(program, run);
  addMemoryCommands(program);
  addSetupCommands(program, exit);
  program.commandsGroup("What you add:");
  addCustomCommands(program, exit);
  addSkillsCommands(program, exit);
  addAgentsCommands(program, exit);
  addHooksCommands(program, exit);
  addToolsCommands(program, cancellation, exit);
  addMcpCommands(program, cancellation, exit);
  addSandboxedCommand(program, cancellation, exit);
  program.commandsGroup("For programs:");
  addParseCommand(program);
  addFormatCommand(program);
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
