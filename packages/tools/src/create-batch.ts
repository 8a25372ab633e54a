import type { ToolCall } from "@cogency/protocol";
import { createAbortScope } from "./abort-scope.ts";
import { type Approval, createJudge } from "./approval.ts";
import { isCallId, mintCallId } from "./call-id.ts";
import { type Claim, callOrder } from "./call-order.ts";
import { createPipeline, type LoggedCall, type PreparedCall } from "./call-pipeline.ts";
import { BatchClosedError } from "./errors.ts";
import type { ToolExecution } from "./execution.ts";
import type { Batch, BatchContext, BatchOptions } from "./executor.ts";
import { frozenCopy } from "./frozen-copy.ts";
import { argumentsIssue } from "./hostile-arguments.ts";
import { guardJournal } from "./journal-guard.ts";
import type { Observer } from "./observer.ts";
import type { Registry } from "./registry.ts";
import { createSlots } from "./slots.ts";

/** What all batches of an executor share. */
interface BatchSettings {
  registry: Registry;
  approval: Approval | undefined;
  concurrency: number;
  timeout: number;
  observe: Observer;
}

/** Collects calls, then puts each through the pipeline in the order that the mode and their resources ask for. */
export function createBatch(settings: BatchSettings, context: BatchContext, options: BatchOptions = {}): Batch {
  const { registry, approval, concurrency, timeout, observe } = settings;
  const scope = createAbortScope();
  const journal = guardJournal(context.journal, scope);
  const judge = createJudge(approval, scope);
  const slots = createSlots(concurrency);
  const { mode = "parallel", coerce = "json" } = options;
  const { prepare, perform } = createPipeline({
    registry,
    context,
    coerce,
    timeout,
    scope,
    judge,
    slots,
    journal,
    observe,
  });
  const calls: LoggedCall[] = [];
  const ids = new Set<string>();
  let isClosed = false;
  let running: Promise<ToolExecution[]> | undefined;

  async function runAll(): Promise<ToolExecution[]> {
    const unfollow = context.signal && scope.follow(context.signal);
    try {
      const executions = await (mode === "sequential" ? inSequence() : sideBySide());
      journal.rethrow();
      return executions;
    } finally {
      unfollow?.();
    }
  }

  async function inSequence(): Promise<ToolExecution[]> {
    const executions: ToolExecution[] = [];
    for (const call of calls) executions.push(await perform(await prepare(call)));
    return executions;
  }

  /** What a call touches follows from its checked arguments, so all calls are prepared before the first one runs. */
  async function sideBySide(): Promise<ToolExecution[]> {
    const prepared = await Promise.all(calls.map(prepare));
    const order = callOrder(prepared.map(claimOf));
    const passed: Promise<unknown>[] = [];
    const executions = prepared.map((call, index) => {
      const turn = Promise.allSettled((order[index] ?? []).map((earlier) => passed[earlier]));
      const execution = perform(call, turn);
      // A call that ends before its turn, as a denied one does, must not let later calls overtake earlier ones.
      passed.push(Promise.allSettled([turn, execution]));
      return execution;
    });
    return Promise.all(executions);
  }

  return {
    add(call) {
      if (isClosed) throw new BatchClosedError();
      const id = isCallId(call.id) && !ids.has(call.id) ? call.id : mintCallId();
      const logged = asLogged(call, id);
      ids.add(id);
      calls.push(logged);
      return logged;
    },
    run() {
      isClosed = true;
      running ??= runAll();
      return running;
    },
    async discard() {
      isClosed = true;
      scope.abort(undefined);
      await running?.catch(() => {});
    },
  };
}

/** The call as it is logged: a copy of its own, which no tool can change. */
function asLogged({ name, args }: ToolCall, id: string): LoggedCall {
  // Arguments with an issue are refused later, and may be too deep to copy.
  return Object.freeze({ name, args: argumentsIssue(args) ? args : frozenCopy(args), id });
}

function claimOf(call: PreparedCall): Claim {
  return "ending" in call ? noClaim : call.claim;
}

const noClaim: Claim = { keys: [], shared: true };
