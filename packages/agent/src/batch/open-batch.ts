import type { LogEvent, ToolResult } from "@cogency/protocol";
import { type Batch, isToolError, type ToolExecution, toToolResult } from "@cogency/tools";
import type { AnswerRecord, ApprovalRecord, QuestionRecord, ToolEvent } from "@cogency/tools/host";
import { eventsAbove } from "../child/events-above.ts";
import type { OpenQuestion, RunEnding } from "../ending.ts";
import { RunError, type RunErrorCode, runErrorOf } from "../errors.ts";
import { contentIn } from "../log/held-content.ts";
import { pausedByQuestions } from "../loop/deadline.ts";
import type { RunContext } from "../run-context.ts";
import { stopOfSignal } from "../stop-of-signal.ts";
import { toolActivity } from "../timeline/tool-activity.ts";
import { journal } from "./journal.ts";
import { noteQuestionError } from "./question-errors.ts";
import { noteExecutions } from "./unknown-calls.ts";

/** What a batch that a crash broke off began with. */
interface Resumed {
  /** The calls, as an earlier run has stored and shown them. */
  calls: readonly { id: string }[];
  /** The records of approval that were logged about its calls. */
  approvals: readonly ApprovalRecord[];
  /** The questions about its calls that were logged. */
  questions: readonly QuestionRecord[];
  /** The answers to questions that its calls asked. */
  answers: readonly AnswerRecord[];
  /** The log without the content that its calls brought. */
  known: readonly LogEvent[];
}

/**
 * Opens a batch of the run. Its calls are judged by the content that the log held before the model wrote them; content that
 * a call brings counts from the next batch on.
 */
export function openBatch(
  context: RunContext,
  events: readonly LogEvent[],
  { calls = [], approvals, questions, answers, known }: Partial<Resumed> = {},
): Batch {
  const { settings, log, meter, mailbox, conversation, user, signal, metadata, assumed, approve, answer, timeline } =
    context;
  const { parent, live } = context;
  const state = { events: eventsAbove(context, events), metadata, step: meter.steps, usage: meter.total };
  const content = [...assumed, ...(known ? contentIn(known) : log.content())];
  context.judgedBy = content;
  const { scope, driver, whenUnanswered } = settings;
  const ends = new Map<string, Promise<void>>();
  timeline.openBatch(calls.map(({ id }) => id));
  const activity = timeline.isHeard ? toolActivity(timeline, (id) => ends.get(id)) : undefined;
  const observer = pausedByQuestions(context.deadline, (event) => {
    noteQuestionError(context.questionErrors, event);
    parent?.onCall(event, parent.agents);
    tellHooks(context, event);
    activity?.(event);
    live?.see(event);
  });
  const run = timeline.id;
  return settings.executor.open(
    {
      conversation,
      user,
      run,
      approve,
      answer,
      remote: mailbox,
      observer,
      state,
      signal,
      journal: journal(context, ends),
      scope,
      approvals,
      questions,
      answers,
      whenUnanswered,
      refuse: context.hooks?.refuse,
      changes: context.tools,
      content,
      agents: parent?.agents,
      root: parent?.root,
      host: () => context,
    },
    driver.batch,
  );
}

function tellHooks({ hooks }: RunContext, event: ToolEvent): void {
  if (event.type === "asked") {
    const { call, question } = event.request;
    hooks?.onQuestion({ call, question, asks: "approval" });
  } else if (event.type === "question_asked") {
    hooks?.onQuestion({ call: event.call, question: event.question.id, asks: "answer" });
  }
}

/**
 * Whether a deadline came while at least one call of the batch had not begun, or asked a person, or its tool was to find out what
 * became of it. Such a batch gets no result: its calls, and a question that nobody answered, stay open for `recover`.
 */
export function isLeftOpen(executions: readonly ToolExecution[], signal: AbortSignal): boolean {
  if (!signal.aborted || stopOfSignal(signal).reason !== "time_limit") return false;
  return executions.some(
    ({ outcome, started, question, error }) =>
      outcome === "cancelled" && (!started || question || isToolError(error, "outcome_unknown")),
  );
}

/**
 * The ending of a run whose batch waits for answers: undefined if none of its calls does. Such a batch gets no result: the other
 * calls keep theirs in their records, and `recover` goes on with it.
 */
export function endingOfWaiting(executions: readonly ToolExecution[]): RunEnding | undefined {
  if (!executions.some(({ outcome }) => outcome === "waiting")) return undefined;
  return { status: "waiting", waiting: executions.flatMap(openQuestions) };
}

function openQuestions({ question, waitsFor, call }: ToolExecution): OpenQuestion[] {
  return (waitsFor ?? (question ? [question] : [])).map((question) => {
    const { id, asks, hash, concerns, touches, message, schema, client, agents } = question;
    const { name, args = {} } = agents ? question : call;
    const asked = {
      ...(message !== undefined && { message }),
      ...(schema && { schema }),
      ...(client && { client }),
      ...(agents && { agents }),
    };
    return { question: id, asks, id: call.id, name, args, hash, concerns, touches, ...asked };
  });
}

/** A batch whose calls have all ended. */
export interface CompletedBatch {
  executions: readonly ToolExecution[];
  /** What the model reads of each execution. */
  results: ToolResult[];
  /** Ends the run once the results are stored. */
  failure: RunError | undefined;
}

/**
 * Runs the calls of a batch, and notes those of which nobody knows what became of them.
 *
 * @param events the log before the calls
 * @throws RunError `store`; `not_stored` if the run was aborted and the store hangs; `hook` if a hook broke its contract and
 * hooks are checked strictly
 */
export async function runCalls(
  context: RunContext,
  batch: Batch,
  events: readonly LogEvent[],
): Promise<CompletedBatch> {
  const { hooks, metadata, meter } = context;
  // Hooks may have changed the metadata since the batch was opened.
  const state = hooks && {
    events: eventsAbove(context, events),
    metadata,
    step: meter.steps,
    usage: meter.total,
  };
  const running = batch.run(state).finally(() => {
    context.metadata = batch.metadata;
  });
  const { executions, failure } = await running.then(
    (executions) => ({ executions, failure: undefined }),
    (error: unknown) => {
      if (!isToolError(error, "tool_failed")) throw runErrorOf(error, codeOf(error));
      return { executions: error.executions, failure: new RunError("tool", error.message, { cause: error }) };
    },
  );
  noteExecutions(context.unknown, executions);
  return { executions, results: executions.map(toToolResult), failure };
}

function codeOf(error: unknown): RunErrorCode {
  if (isToolError(error, "hook_contract")) return "hook";
  return isToolError(error, "journal_stalled") ? "not_stored" : "store";
}
