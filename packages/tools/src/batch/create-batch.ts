import { createAbortScope, createSlots } from "@cogency/async";
import type { ToolCall } from "@cogency/protocol";
import {
  anything,
  callback,
  checkOptions,
  having,
  listOf,
  type OptionTable,
  object,
  oneOf,
  required,
  signal,
  text,
} from "@cogency/protocol/options";
import type { Approval } from "../approval/approval.ts";
import type { KeyRing } from "../approval/key-ring.ts";
import { failedError, ToolError } from "../errors.ts";
import type { ToolExecution } from "../execution.ts";
import type { Batch, BatchContext, BatchOptions, BegunCall } from "../executor.ts";
import { frozenCopy } from "../frozen-copy.ts";
import type { ToolHook } from "../hooks/tool-hook.ts";
import type { LoggedCall } from "../logged-call.ts";
import { guarded, type Observer } from "../observer.ts";
import type { Registry } from "../registry.ts";
import type { AttachmentLimits } from "../result/checked-attachments.ts";
import type { ResultLimits } from "../result/result-limits.ts";
import { argumentsIssue } from "../schema/hostile-arguments.ts";
import { createAsking } from "./asking.ts";
import { createBatchState } from "./batch-state.ts";
import { createSettleBegun } from "./begun-calls.ts";
import { isCallId, mintCallId } from "./call-id.ts";
import { type Claim, callOrder } from "./call-order.ts";
import { createPipeline, type PreparedCall } from "./call-pipeline.ts";
import { createHookRunner } from "./hook-runner.ts";
import { guardJournal } from "./journal-guard.ts";
import { createJudge } from "./judge.ts";
import { loggedRecords } from "./logged-records.ts";
import { createTurns } from "./turns.ts";

/** What all batches of an executor share. */
interface BatchSettings {
  registry: Registry;
  approval: Approval | undefined;
  keyRing: KeyRing;
  /** Sorted by priority. */
  hooks: readonly ToolHook[];
  concurrency: number;
  timeout: number;
  limits: ResultLimits;
  attachments: AttachmentLimits;
  throwOnToolFailure: boolean;
  stopOnToolBlock: boolean;
  earlyStart: boolean;
  observe: Observer;
}

// Not getters: the engine gives each object literal with a getter a shape of its own, which costs more than a whole call.
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A call of the batch, and the stages that it has begun before `run`. */
interface Entry {
  call: LoggedCall;
  /** What is known of it if an earlier run began it. */
  begun?: BegunCall | undefined;
  prepared?: Promise<PreparedCall>;
  performed?: Promise<ToolExecution>;
}

/**
 * Collects calls, then runs each through the pipeline, in the order that the mode and their resources demand.
 *
 * @throws TypeError for an unknown option, RangeError for an unknown `mode` or `coerce`
 */
export function createBatch(settings: BatchSettings, context: BatchContext, options: BatchOptions = {}): Batch {
  checkBatch(context, options);
  const { throwOnToolFailure, stopOnToolBlock } = settings;
  const mode = throwOnToolFailure || stopOnToolBlock ? "sequential" : (options.mode ?? "parallel");
  const scope = createAbortScope();
  const journal = guardJournal(context.journal, scope);
  const state = createBatchState(context.state, mode);
  const { timeout, attachments } = settings;
  const observe = observerOf(settings.observe, context.observer);
  const hookParts = {
    registry: settings.registry,
    context,
    state,
    scope,
    timeout,
    attachments,
    observe,
    fail: journal.fail,
  };
  const hooks = settings.hooks.length > 0 ? createHookRunner({ ...hookParts, hooks: settings.hooks }) : undefined;
  const { approval, keyRing } = settings;
  const turns = createTurns();
  const slots = createSlots(settings.concurrency);
  const callParts = { ...settings, observe, context, coerce: options.coerce ?? "json", scope, slots, journal };
  const logged = loggedRecords(context);
  const answering = { keyRing, context, logged, scope, journal, observe, turns };
  const { prepare, perform, holdBack, finalize } = createPipeline({
    ...callParts,
    state,
    logged,
    hooks,
    judge: createJudge({ ...answering, approval, state }),
    ask: (asking) => createAsking({ ...answering, patience: approval?.timeout }, asking),
  });
  const settleBegun = createSettleBegun({ ...callParts, finalize });
  const entries: Entry[] = [];
  const ids = new Set<string>();
  let unfollow: (() => void) | undefined;
  let isClosed = false;
  let running: Promise<ToolExecution[]> | undefined;
  /** Resolves to whether the next call may begin early; undefined if no call may. */
  let early = settings.earlyStart && mode === "parallel" ? Promise.resolve(true) : undefined;
  const released = early && Promise.withResolvers<boolean>();

  function follow(): void {
    unfollow ??= context.signal && scope.follow(context.signal);
  }

  /** Begins a call early if it may. Returns whether the next call may, too. */
  async function beginEarly(entry: Entry, index: number): Promise<boolean> {
    if (isClosed) return false;
    entry.prepared = prepare(entry.call, index);
    const prepared = await entry.prepared;
    if ("ending" in prepared) return true;
    if (!prepared.claim.shared || prepared.tool.asks) return false;
    entry.performed = perform(prepared, { released: released?.promise });
    return true;
  }

  async function runAll(): Promise<ToolExecution[]> {
    follow();
    try {
      released?.resolve(true);
      if (early) await early;
      await settleAll();
      const executions = await (mode === "sequential" ? inSequence() : sideBySide());
      journal.rethrow();
      const failure = throwOnToolFailure && executions.find(({ outcome }) => outcome === "failure");
      if (failure) throw failedError(failure.call.name, executions, failure.error);
      return executions;
    } finally {
      state.merge();
      batch.metadata = state.metadata();
      batch.stop = state.stop();
      unfollow?.();
    }
  }

  /** Finds out what became of the calls that an earlier run began. */
  async function settleAll(): Promise<void> {
    const settle = async (entry: Entry, index: number) => {
      const execution = entry.begun && (await settleBegun(entry.call, entry.begun, index));
      if (!execution) return;
      entry.prepared = Promise.resolve({ call: execution.call, requested: entry.call, index, ending: execution });
      entry.performed = Promise.resolve(execution);
    };
    if (entries.some(({ begun }) => begun)) await Promise.all(entries.map(settle));
  }

  async function inSequence(): Promise<ToolExecution[]> {
    const executions: ToolExecution[] = [];
    let isWaiting = false;
    for (const [index, { call, performed }] of entries.entries()) {
      const performing: Promise<ToolExecution> =
        performed ?? (isWaiting ? holdBack(call) : prepare(call, index).then((prepared) => perform(prepared)));
      const execution = await performing;
      isWaiting ||= execution.outcome === "waiting";
      executions.push(execution);
      if (throwOnToolFailure && execution.outcome === "failure") state.giveUp("an earlier call failed");
      if (stopOnToolBlock && execution.outcome === "blocked") state.giveUp("an earlier call was blocked");
    }
    return executions;
  }

  /** Prepares all calls before the first one runs, because their checked arguments say which resources they touch. */
  async function sideBySide(): Promise<ToolExecution[]> {
    const prepared = await prepareAll();
    const order = callOrder(prepared.map(claimOf));
    /** For each call, once it has passed: whether it waits for an answer, or for a call that does. */
    const passed: Promise<boolean>[] = [];
    const performed = prepared.map((call, index): Promise<ToolExecution> => {
      const before = order[index] ?? [];
      const earlier = before.length > 0 ? Promise.all(before.map((call) => passed[call])).then(anyWaits) : undefined;
      const execution = entries[index]?.performed ?? perform(call, { earlier });
      // A call may end before the calls that it waits for, if it is denied for instance. Later calls still wait for both.
      passed.push(earlier ? Promise.all([earlier, execution.then(waits)]).then(anyWaits) : execution.then(waits));
      return execution;
    });
    return Promise.all(performed);
  }

  /** Prepares all calls: one after another if there are hooks, so that hooks see them in call order. */
  async function prepareAll(): Promise<PreparedCall[]> {
    const preparation = (entry: Entry, index: number) => (entry.prepared ??= prepare(entry.call, index));
    if (!hooks) return Promise.all(entries.map(preparation));
    const prepared: PreparedCall[] = [];
    for (const [index, entry] of entries.entries()) prepared.push(await preparation(entry, index));
    return prepared;
  }

  const batch: Mutable<Batch> = {
    add(call, begun) {
      if (isClosed) {
        const message = "This batch has already run or was discarded: open a new one for further calls.";
        throw new ToolError("batch_closed", message, {});
      }
      if (entries.length >= mostCalls) {
        throw new RangeError(`A batch holds at most ${mostCalls} calls. Run the others in another batch.`);
      }
      const id = isCallId(call.id) && !ids.has(call.id) ? call.id : mintCallId();
      const entry: Entry = { call: asLogged(call, id), begun };
      const index = entries.length;
      ids.add(id);
      entries.push(entry);
      if (early) {
        follow();
        early = early.then((mayBegin) => mayBegin && !begun && beginEarly(entry, index));
      }
      return entry.call;
    },
    run(changed) {
      isClosed = true;
      if (changed && !running) state.restart(changed);
      running ??= runAll();
      return running;
    },
    async discard() {
      isClosed = true;
      scope.abort(undefined);
      released?.resolve(false);
      await running?.catch(() => {});
      await early;
      await Promise.all(entries.map(({ performed }) => performed));
      unfollow?.();
    },
    metadata: state.metadata(),
    stop: undefined,
  };
  return batch;
}

/** A batch keeps all of its executions until it ends. */
export const mostCalls = 10_000;

function checkBatch(context: BatchContext, options: BatchOptions): void {
  checkOptions<BatchContext>("A batch's context", context, contextTable);
  checkOptions<BatchOptions>("A batch", options, batchTable);
}

const contextTable: OptionTable<BatchContext> = /* @__PURE__ */ (() => ({
  conversation: required(text),
  user: text,
  run: text,
  approve: callback,
  answer: callback,
  remote: object,
  observer: callback,
  state: object,
  signal,
  journal: having("a journal", "question", "approval", "started", "finished"),
  scope: text,
  approvals: listOf(anything),
  questions: listOf(anything),
  answers: listOf(anything),
  whenUnanswered: oneOf("wait", "deny"),
  refuse: callback,
  changes: having("what says which tools have changed", "since", "had", "isRedefined"),
  content: listOf(anything),
  agents: listOf(text),
  root: text,
  host: anything,
}))();

const batchTable: OptionTable<BatchOptions> = /* @__PURE__ */ (() => ({
  mode: oneOf("parallel", "sequential"),
  coerce: oneOf("json", "lexical"),
}))();

function observerOf(all: Observer, own: Observer | undefined): Observer {
  if (!own) return all;
  const hear = guarded(own);
  return (event) => {
    all(event);
    hear(event);
  };
}

/** A frozen copy of the call, which no tool can change. */
function asLogged({ name, args }: ToolCall, id: string): LoggedCall {
  // Arguments that are refused later may be nested too deep to copy.
  return Object.freeze({ name, args: argumentsIssue(args) ? args : frozenCopy(args), id });
}

function waits({ outcome }: ToolExecution): boolean {
  return outcome === "waiting";
}

function anyWaits(waiting: readonly (boolean | undefined)[]): boolean {
  return waiting.includes(true);
}

function claimOf(call: PreparedCall): Claim {
  return "ending" in call ? noClaim : call.claim;
}

const noClaim: Claim = { keys: [], shared: true };
