import { nearestNames } from "@cogency/protocol/options";
import { type Command, CommanderError } from "commander";
import type { Cancellation } from "./base/cancellation.ts";
import { exitCodeOfError, exitCodes } from "./base/errors/exit-code.ts";
import { complain } from "./base/errors/message-of.ts";
import { shellWord } from "./base/terminal/shell-word.ts";
import { createProgram } from "./program/program.ts";

/** Carries out one command line. @param args without the name of the program @returns the exit code */
export async function cli(args: readonly string[], cancellation: Cancellation): Promise<number> {
  let code: number = exitCodes.done;
  try {
    const program = createProgram(cancellation, (exit) => {
      code = exit;
    });
    if (args.length === 0 && process.stdin.isTTY && !process.stdout.isTTY) program.help();
    const [first = ""] = args;
    if (first === "help") program.help();
    refuseMistyped(args, program);
    await program.parseAsync(beginsChat(args) ? ["chat", ...args] : args, { from: "user" });
    return code;
  } catch (error) {
    // Commander has already printed the mistake, or its help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    complain(error);
    return exitCodeOfError(error);
  }
}

/** Whether a command line at a terminal names no command and says nothing to the agent, but only has options that a chat takes. */
function beginsChat(args: readonly string[]): boolean {
  if (!process.stdin.isTTY || !process.stdout.isTTY || /^[^-]/.test(args[0] ?? "")) return false;
  const nothing: Cancellation = { during: () => Promise.reject(), exitCode: exitCodes.done, readerLeft: () => {} };
  const probe = createProgram(nothing, () => {});
  try {
    const chat = probe.commands.find((command) => command.name() === "chat");
    const { operands = [], unknown = [] } = chat?.parseOptions([...args]) ?? {};
    return operands.length === 0 && unknown.length === 0;
  } catch {
    // The options are wrong, which the command itself says.
    return false;
  }
}

/** Refuses a first word that is nearly a command: it is a typing error, and no prompt that a model should be paid for. */
function refuseMistyped([word = "", ...more]: readonly string[], program: Command): void {
  const commands = program.commands.filter((command) => !command.name().startsWith("_"));
  const names = [...commands.map((command) => command.name()), "help"];
  if (!/^[a-z]+$/.test(word) || names.includes(word)) return;
  const [nearest] = nearestNames(word, names).filter((name) => fitsWords(name, more, commands));
  const meant = more.length === 0 ? (elsewhereOf(word, commands) ?? nearest) : nearest;
  if (meant === undefined) return;
  const said = [word, ...more].map(shellWord).join(" ");
  program.error(
    `error: unknown command '${word}'\n(Did you mean cogency ${meant}? To say it to the agent: cogency run ${said})`,
  );
}

/** Whether the person may have meant this command. Several words that it does not take are a prompt, as in `cogency what is this`. */
function fitsWords(name: string, more: readonly string[], commands: readonly Command[]): boolean {
  const command = commands.find((one) => one.name() === name);
  const [next = "-", second = "-"] = more;
  if (!command || next.startsWith("-") || second.startsWith("-")) return true;
  if (command.commands.length > 0) return command.commands.some((one) => one.name() === next);
  const { registeredArguments: taken } = command;
  return more.length <= taken.length && !taken.some(({ variadic }) => variadic);
}

/** What a word alone means that is a command of other programs, or a command below another one, such as `list`. */
function elsewhereOf(word: string, commands: readonly Command[]): string | undefined {
  if (Object.hasOwn(elsewhere, word)) return elsewhere[word];
  const above = commands.find((command) => command.commands.some((one) => one.name() === word));
  return above && `${above.name()} ${word}`;
}

/** Words that are commands of other programs, and what does the same here. With more words they begin a prompt. */
const elsewhere: Readonly<Record<string, string>> = {
  login: "config key set OPENAI_API_KEY",
  auth: "config key set OPENAI_API_KEY",
  logout: "config key remove OPENAI_API_KEY",
  keys: "config key list",
  settings: "config get",
  version: "--version",
  update: "--version",
  upgrade: "--version",
  resume: "--resume",
  continue: "--continue",
  sessions: "history list",
  status: "doctor",
  serve: "open",
  web: "open",
  undo: "rewind",
};
