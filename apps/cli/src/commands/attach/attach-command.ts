import { createInterface } from "node:readline";
import { styleText } from "node:util";
import type { Store } from "@cogency/storage";
import { exitCodes } from "../../base/errors/exit-code.ts";
import { scopeOfLog } from "../../base/scope-of-log.ts";
import { note } from "../../base/terminal/note.ts";
import { put, putLine } from "../../base/terminal/output.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { approvalReader } from "../../person/show/approvals-of.ts";
import { resumeCommand } from "../../person/show/resume-command.ts";
import { existingKeys } from "../../place/installation-keys.ts";
import { findConversation } from "../../place/store/find-conversation.ts";
import { withHistory } from "../../place/store/with-history.ts";
import type { Foot } from "../../screen/screen.ts";
import { agentWithoutModel } from "../../work/agent-without-model.ts";
import { followTurn, type TurnListener } from "./follow-turn.ts";
import { linePage } from "./line-page.ts";
import { WatchedRun } from "./watched-run.ts";

export interface AttachCommandOptions {
  store: string;
  /** Prints the stored events, and reads nothing. */
  json?: true;
  /** Plain lines, without a foot. */
  plain?: true;
}

/**
 * `cogency attach`: shows the run of another process as it goes on, from the last message of the person on. At a terminal, what is typed
 * steers the run and answers its questions, until the person leaves; elsewhere it only watches, until no run is at work.
 *
 * @returns the exit code: that of waiting if a question is open at the end
 * @throws UsageError for a conversation that there is not
 */
export function attachCommand(wanted: string, options: AttachCommandOptions): Promise<number> {
  const { store: place, json, plain } = options;
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  return withHistory({ store: place }, async (store) => {
    const conversation = await findConversation(wanted, store, place);
    if (json) return printed(store, conversation);
    const agent = await agentWithoutModel(store);
    const approvalOf = approvalReader({ conversation }, await existingKeys());
    const scope = scopeOfLog(await store.load({ conversation }, { types: ["record"], limit: 1 }));
    const parts = { conversation, agent, approvalOf, scope, resume: resumeCommand(conversation, place) };
    const { canShowPage } = await import("../../screen/terminal-page.ts");
    if (isTerminal && !plain && canShowPage()) return onPage(store, parts);
    return inLines(store, parts, isTerminal);
  });
}

type Parts = Omit<ConstructorParameters<typeof WatchedRun>[0], "page">;

/** Prints the stored events until no run is at work. */
async function printed(store: Store, conversation: string): Promise<number> {
  const end = new AbortController();
  const listener = { event: putLine, idle: () => end.abort() };
  await followTurn(store, conversation, listener, end.signal);
  return exitCodes.done;
}

async function inLines(store: Store, parts: Parts, isTerminal: boolean): Promise<number> {
  const end = new AbortController();
  const { stdin, stdout } = process;
  const page = linePage({
    print: (text) => void put(text),
    refresh() {},
    stream: stdout,
    most: () => Number.POSITIVE_INFINITY,
  });
  const run = new WatchedRun({ ...parts, page });
  let told = "";
  const listener: TurnListener = {
    async event(event) {
      await run.event(event);
      if (isTerminal && run.hasQuestion && told !== run.status.join()) note(run.status.join(" "));
      told = run.hasQuestion ? run.status.join() : "";
    },
    idle() {
      run.idle();
      if (!isTerminal) end.abort();
      else note(run.status.join(" "));
    },
  };
  const typed = isTerminal ? createInterface({ input: stdin, terminal: false }) : undefined;
  typed?.on("line", (line) => (line.trim() === "/cancel" ? run.cancel() : void run.typed(line)));
  typed?.once("close", () => end.abort());
  if (isTerminal) note("Enter sends what you type into the run, /cancel ends the run, Ctrl-D leaves: the run goes on.");
  await followTurn(store, parts.conversation, listener, end.signal);
  typed?.close();
  return run.hasQuestion && !isTerminal ? exitCodes.waiting : exitCodes.done;
}

/** On a page that grows above a foot with the line that is typed. */
async function onPage(store: Store, parts: Parts): Promise<number> {
  const [{ TerminalPage }, { LineField }, { TurnPage }, { matchesKey }] = await Promise.all([
    import("../../screen/terminal-page.ts"),
    import("../../screen/line-field.ts"),
    import("./turn-page.ts"),
    import("@earendil-works/pi-tui"),
  ]);
  const end = new AbortController();
  const { stdout } = process;
  const dim = (text: string) => styleText("dim", text, { stream: stdout });
  const field = new LineField("> ");
  const foot: Foot = (columns) => {
    const { text, column } = field.row(columns);
    const [status = ""] = run.status;
    const shown = run.hasQuestion
      ? styleText("bold", oneLine(status, columns), { stream: stdout })
      : dim(oneLine(status, columns));
    const written = page.rows(columns);
    return {
      rows: [...written, "", shown, text, dim(oneLine("Esc: end the run · Ctrl-C: leave, the run goes on", columns))],
      cursor: { row: written.length + 2, column },
    };
  };
  const key = (data: string) => {
    if (matchesKey(data, "ctrl+c") || (matchesKey(data, "ctrl+d") && field.text === "")) end.abort();
    else if (matchesKey(data, "escape")) run.cancel();
    else if (matchesKey(data, "enter")) {
      // What is no answer stays: it may be a text that was begun before the question came.
      if (run.typed(field.text)) field.text = "";
    } else field.key(data);
  };
  const terminal = new TerminalPage(foot, key);
  const page = new TurnPage(
    { add: (block) => terminal.add(block), refresh: () => terminal.refresh(), stream: stdout },
    () => terminal.rows,
  );
  const run = new WatchedRun({ ...parts, page });
  // Seconds are counted on the screen.
  const clock = setInterval(() => run.isRunning && page.refresh(), 1000);
  try {
    await followTurn(store, parts.conversation, run, end.signal);
  } finally {
    clearInterval(clock);
    terminal.close();
  }
  if (run.isRunning) note("You have left. The run goes on where it was begun.");
  return exitCodes.done;
}
