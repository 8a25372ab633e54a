import {
  type Agent,
  isRunError,
  type ObjectOptions,
  type Run,
  RunError,
  type RunOptions,
  type RunResult,
} from "@cogency/agent";
import type { JsonSchema, RunEvent } from "@cogency/protocol";
import { zeroUsage } from "@cogency/provider";
import { isStoreError, redactingStore, type Store } from "@cogency/storage";
import type { Cancellation } from "../../base/cancellation.ts";
import { exitCodeOfRun, exitCodes } from "../../base/errors/exit-code.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { scopeOf } from "../../base/scope-of.ts";
import { note, noteOnce } from "../../base/terminal/note.ts";
import type { Terminal } from "../../base/terminal/terminal.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { type ApprovalOptions, createApproval } from "../../person/approval/approval.ts";
import { terminalAnswer } from "../../person/approval/terminal-answer.ts";
import { terminalAsker } from "../../person/approval/terminal-asker.ts";
import { resumeCommand } from "../../person/show/resume-command.ts";
import type { RunDisplay, ShownResult } from "../../person/show/run-display.ts";
import type { Options } from "../../place/config/option-table.ts";
import type { TypedOptions } from "../../place/config/typed-words.ts";
import { installationKeys, processKeys } from "../../place/installation-keys.ts";
import type { TurnRules } from "../../place/rules/turn-rules.ts";
import { findConversation, hasConversation, latestIn } from "../../place/store/find-conversation.ts";
import { openStore } from "../../place/store/open-store.ts";
import { unknownConversation } from "../../place/store/unknown-conversation.ts";
import { chooseModel, type ModelChoice } from "../../work/choose-model.ts";
import { turnOfLog } from "../../work/commands/turn-of-log.ts";
import { withCommand } from "../../work/commands/with-command.ts";
import { endWork } from "../../work/end-work.ts";
import { openJobsFor } from "../../work/jobs.ts";
import { mentionableServers } from "../../work/mcp/mentioned-resources.ts";
import { missingServers } from "../../work/mcp/missing-servers.ts";
import { type AgentChoice, type OpenAgent, openAgent } from "../../work/open-agent.ts";
import { changingMode } from "../../work/plan/changing-mode.ts";
import { checkTaken, contentOf, type Prompt, readPrompt } from "../../work/prompt/read-prompt.ts";
import { readSchema } from "../../work/read-schema.ts";
import { checkAnswerFile, writeAnswer } from "./answer-file.ts";
import { humanDisplay } from "./human-display.ts";
import { jsonDisplay } from "./json-display.ts";
import { objectDisplay } from "./object-display.ts";

export interface RunCommandOptions
  extends ModelChoice,
    AgentChoice,
    ApprovalOptions,
    Required<Options<"store">>,
    Options<
      | "conversation"
      | "continue"
      | "ephemeral"
      | "redact"
      | "attach"
      | "schema"
      | "stream"
      | "json"
      | "output"
      | "answerFile"
      | "quiet"
    > {
  /** The conversation to go on with, by its id or a part of it or of its title; true for that of `conversation`, else one that is picked. */
  resume?: string | true;
  /** The options that were typed, for the command that goes on. */
  typed?: TypedOptions;
  /** The names of commands that only a chat has. */
  chatNames: () => Promise<readonly string[]>;
}

/**
 * `cogency run`.
 *
 * @returns the exit code
 * @throws UsageError before any event is stored
 */
export async function runCommand(
  argument: string | undefined,
  options: RunCommandOptions,
  cancellation: Cancellation,
): Promise<number> {
  const answer = options.schema === undefined ? "text" : "object";
  const display = displayFor(answer, options);
  checkAnswerFile(options.answerFile);
  const place = options.ephemeral ? ":memory:" : options.store;
  let { conversation = crypto.randomUUID(), resume } = options;
  const goesOn = (resume !== undefined || options.continue === true) && argument === undefined;
  checkResume(goesOn, options);
  if (resume === true && options.conversation === undefined) {
    const { pickConversation } = await import("../../person/pick-conversation.ts");
    resume = await pickConversation(place);
    if (resume === undefined) return exitCodes.SIGINT;
  }
  const prompt = goesOn
    ? undefined
    : await readPrompt(argument, options.root, options.attach, (text) => mentionableServers(text, options));
  const schema = options.schema === undefined ? undefined : await readSchema(options.schema);
  const model = await chooseModel(options);
  if (prompt) checkTaken(prompt, model.provider);
  // A conversation in memory needs no key that outlives the process.
  const keyRing = place === ":memory:" ? processKeys() : await installationKeys();

  const jobs = openJobsFor(options, {
    warn: note,
    // A run that has answered ends: it does not go on for a command that ends meanwhile.
    send: async (to, notice) => opened?.agent.send(to, { ...notice, wakes: false }),
  });
  const startedAt = performance.now();
  let opened: OpenAgent | undefined;
  let missing: readonly string[] = [];
  const result = await withStore(place, async (kept) => {
    const store = options.redact ? redactingStore(kept) : kept;
    const terminal = terminalFor(argument);
    const modes = changingMode(options);
    let turn: TurnRules = { allow: [] };
    const parts = { ...model, store, place, keyRing, jobs, modes };
    const made = await openAgent(options, parts, (surroundings, rules, asked) =>
      createApproval(options, surroundings, terminal && terminalAsker(terminal, display), rules, {
        mode: modes.choice,
        turn: () => turn,
        asked,
      }),
    );
    opened = made;
    const { agent } = made;
    const said = prompt && (await withCommand(prompt, argument, made, options.chatNames));
    if (said) checkTaken(said.prompt, model.provider);
    if (said?.turn) turn = said.turn;
    if (options.continue) conversation = await latestOf(options, store);
    else if (typeof resume === "string") conversation = await findConversation(resume, store, place);
    else if (resume && !(await hasConversation(conversation, store)))
      throw await unknownConversation({ conversation }, store, place);
    if (!said) {
      const log = await store.load({ conversation }, { types: ["user", "record"] });
      turn = (await turnOfLog(log, made.commands)) ?? turn;
    }
    return cancellation.during(async (signal) => {
      const started = {
        conversation,
        signal,
        untrusted: said?.untrusted,
        private: said?.private,
        ...(terminal && { answer: terminalAnswer(terminal, display) }),
      };
      const shown =
        said && schema
          ? await objectOf(agent, said.prompt, schema, { ...started, on: display.event })
          : await displayed(start(agent, said?.prompt, { ...started, stream: viewOf(options) }), display);
      await made.memory.leave(signal);
      return shown;
    });
  }).finally(() => {
    missing = missingServers(opened?.mcp.servers);
    return endWork(jobs, opened);
  });
  const exit = exitCodeOfRun(result, cancellation.exitCode);
  const seconds = (performance.now() - startedAt) / 1000;
  const again = place === ":memory:" ? undefined : resumeCommand(conversation, place, options.typed);
  display.end({ result, conversation, seconds, exit, again });
  if (!options.quiet) for (const sentence of missing) noteOnce(sentence);
  if (options.answerFile !== undefined && exit === exitCodes.done) await writeAnswer(options.answerFile, result);
  return exit;
}

function displayFor(kind: "text" | "object", options: RunCommandOptions): RunDisplay {
  if (options.output === "json") return objectDisplay();
  return isStream(options) ? jsonDisplay(kind) : humanDisplay(kind, options);
}

function isStream({ json, output }: RunCommandOptions): boolean {
  return json === true || output === "stream";
}

function checkResume(goesOn: boolean, { resume, conversation, schema, attach }: RunCommandOptions): void {
  if (typeof resume === "string" && conversation !== undefined)
    throw new UsageError("--resume and --conversation both name a conversation: leave one of the two out.");
  const unused = goesOn && ((schema && "--schema") || (attach && "--attach"));
  if (unused) throw new UsageError(`${unused} needs a prompt: without one, a run goes on as it was.`);
}

async function latestOf({ root }: RunCommandOptions, store: Store): Promise<string> {
  const latest = await latestIn(scopeOf(root), store);
  if (latest !== undefined) return latest;
  throw new UsageError(
    `No conversation was begun in ${oneLine(scopeOf(root), 200)} yet. Leave --continue out to begin one.`,
  );
}

/** The terminal to ask a person at; undefined without one. */
function terminalFor(argument: string | undefined): Terminal | undefined {
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return isTerminal && argument !== "-" ? { input: process.stdin, output: process.stderr } : undefined;
}

/** Uses a store and closes it. If it cannot be opened, returns the result of a failed run. */
async function withStore(place: string, use: (store: Store) => Promise<ShownResult>): Promise<ShownResult> {
  let store: Store;
  try {
    store = await openStore(place);
  } catch (cause) {
    if (!isStoreError(cause)) throw cause;
    const error = new RunError("store", cause.message, { cause });
    return { status: "failed", text: "", steps: 0, toolErrors: 0, usage: zeroUsage, error };
  }
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

function viewOf(options: RunCommandOptions): RunOptions["stream"] {
  const { stream = isStream(options) || options.output === "json" ? "event" : "token" } = options;
  return stream === "none" ? null : stream;
}

/** Starts a run with a prompt; without one, continues the conversation where it broke off. */
function start(
  agent: Agent,
  prompt: Prompt | undefined,
  options: RunOptions & { conversation: string },
): Run<RunEvent> {
  if (!prompt) return agent.recover({ ...options, events: "all" });
  return agent.run(contentOf(prompt), { ...options, events: "all" });
}

async function displayed(run: Run<RunEvent>, display: RunDisplay): Promise<RunResult> {
  try {
    for await (const event of run) display.event(event);
  } catch (error) {
    // `run.result` holds this error too.
    if (!isRunError(error)) throw error;
  }
  return run.result;
}

/** Runs until an answer fits the schema. */
async function objectOf(
  agent: Agent,
  prompt: Prompt,
  schema: JsonSchema,
  options: ObjectOptions,
): Promise<ShownResult> {
  const result: ShownResult = await agent.object(contentOf(prompt), schema, options).result;
  const { error } = result;
  const misfit = error?.code === "no_progress" ? unfit.exec(error.message)?.[1] : undefined;
  if (result.status === "failed" && misfit !== undefined) {
    const message = `No answer of the model fits the schema, and it was asked again each time. The last one ${misfit}`;
    return { ...result, error: new RunError("no_progress", message, { cause: error }) };
  }
  if (result.status !== "completed" || result.object !== undefined) return result;
  const { stop, ...totals } = result;
  const message = `The run ended without an answer that fits the schema${stop ? `: ${stop.message}` : "."}`;
  return { ...totals, status: "failed", error: new RunError("no_progress", message) };
}

/** Finds the fault of the last answer in the agent's message, which ends with what it told the model. */
const unfit = /The last time: Your answer (.*?)(?: Answer again, [^.]*\.)?$/s;
