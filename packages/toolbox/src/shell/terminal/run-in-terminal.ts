import { stripVTControlCharacters } from "node:util";
import { settlesWithin } from "@cogency/async";
import { ShellError } from "../errors.ts";
import { type Captured, createCapture } from "../run/capture.ts";
import { trackCommand } from "../run/commands-ended.ts";
import { type CommandEnd, type CommandOptions, firstEnd, type Launch } from "../run/run-command.ts";
import type { Terminal, Terminals } from "./terminals.ts";

interface TerminalRun extends CommandOptions {
  /** As it was given, for errors. */
  command: string;
  /** Milliseconds that an answer of the terminal may take. */
  answerWithin?: number;
  /** Called with the id of the terminal in which the program runs. */
  onTerminal(id: string): void;
}

type Ended = Awaited<ReturnType<Terminal["ended"]>>;

/**
 * Runs a program in a terminal as `runCommand` runs one of this process. The terminal has one stream for stdout and stderr: the end has
 * it as stdout. The terminal is released at the end, whatever happens.
 *
 * @throws ShellError `start_failed` if the terminal does not start it: then nothing is run elsewhere, because it may have started all the
 * same; `terminal_failed` if it does not say how the program ended
 */
export function runInTerminal(terminals: Terminals, launch: Launch, run: TerminalRun): Promise<CommandEnd> {
  return trackCommand(runAndRelease(terminals, launch, run));
}

async function runAndRelease(terminals: Terminals, launch: Launch, run: TerminalRun): Promise<CommandEnd> {
  const { answerWithin = usualAnswer, signal, timeout, killAfter } = run;
  const terminal = await started(terminals, launch, run, answerWithin);
  try {
    run.onStart?.();
    run.onTerminal(terminal.id);
    let how: Ended | undefined;
    const over = new AbortController();
    const ended = begun(() => terminal.ended(over.signal)).then((end) => {
      how = end;
    });
    const end = await firstEnd(ended, timeout, signal).catch((error: unknown) => {
      throw failed(run, `did not say how it ended: ${wordsOf(error)}`, error);
    });
    if (end !== "exited") {
      await settlesWithin(
        begun(() => terminal.kill()),
        answerWithin,
      );
      await settlesWithin(ended, killAfter);
      over.abort();
    }
    const stdout = await outputOf(terminal, run, answerWithin);
    const { code, signal: endedBy } = { ...how } as Ended;
    if (end === "exited" && typeof code !== "number" && typeof endedBy !== "string")
      throw failed(run, "said neither an exit code nor a signal");
    // An exit code counts only where no signal is named, as with a program of this process.
    const exitCode = typeof endedBy === "string" ? null : (code ?? null);
    const named = typeof endedBy === "string" ? (endedBy as NodeJS.Signals) : null;
    return { end, exitCode, signal: named, stdout, stderr: { text: "", omitted: 0 } };
  } finally {
    await settlesWithin(
      begun(() => terminal.release()),
      answerWithin,
    );
  }
}

/** Milliseconds. */
const usualAnswer = 10_000;

async function started(
  terminals: Terminals,
  { file, args, cwd, env }: Launch,
  run: TerminalRun,
  limit: number,
): Promise<Terminal> {
  const { maxOutputBytes, maxKeptBytes = maxOutputBytes } = run;
  const wanted = {
    command: file,
    args,
    cwd,
    env: variablesIn(env),
    outputBytes: Math.max(maxOutputBytes, maxKeptBytes),
  };
  const starting = begun(() => terminals.start(wanted, run.signal));
  const isAnswered = await settlesWithin(starting, limit);
  if (isAnswered)
    return await starting.catch((error: unknown) => {
      throw notStarted(run, wordsOf(error), error);
    });
  // One that comes late is ended: nobody waits for it.
  starting.then(
    (terminal) => terminal.release().catch(() => {}),
    () => {},
  );
  throw notStarted(run, `it did not answer within ${limit / 1000} s, and may run the command all the same`);
}

/**
 * The terminal says itself what it is. Programs that show long texts page by page would wait for a person there.
 */
function variablesIn({ TERM: _, ...env }: NodeJS.ProcessEnv): Record<string, string> {
  const all = { PAGER: "cat", GIT_PAGER: "cat", ...env };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The text without what moves the cursor and colours it. */
async function outputOf(terminal: Terminal, run: TerminalRun, limit: number): Promise<Captured> {
  const asking = begun(() => terminal.output());
  const isAnswered = await settlesWithin(asking, limit);
  if (!isAnswered) throw failed(run, "did not give its output");
  const answer = await asking.catch((error: unknown) => {
    throw failed(run, `did not give its output: ${wordsOf(error)}`, error);
  });
  if (typeof answer?.text !== "string") throw failed(run, "gave no text as its output");
  const text = stripVTControlCharacters(answer.text.toWellFormed()).replace(/\r+\n/g, "\n");
  const capture = createCapture(run.maxOutputBytes, run.maxKeptBytes);
  capture.add(Buffer.from(answer.isCut ? `${cutMark}\n${text}` : text));
  return capture.read();
}

const cutMark = "[… the terminal does not keep the beginning …]";

async function begun<T>(work: () => Promise<T>): Promise<T> {
  return await work();
}

function notStarted({ command }: TerminalRun, why: string, cause?: unknown): ShellError {
  return new ShellError("start_failed", command, `The terminal of the editor did not start the command: ${why}.`, {
    cause,
  });
}

function failed({ command }: TerminalRun, what: string, cause?: unknown): ShellError {
  const message = `The terminal of the editor ran the command and ${what}. Find out what it did before you run it again.`;
  return new ShellError("terminal_failed", command, message, { cause });
}

function wordsOf(error: unknown): string {
  return JSON.stringify((error instanceof Error ? error.message : String(error)).slice(0, 200).toWellFormed());
}
