import type { ToolCall } from "@cogency/protocol";
import type { Approval } from "./approval.ts";
import { createBatch } from "./create-batch.ts";
import type { BatchContext, BatchOptions, Executor } from "./executor.ts";
import { guarded, type Observer } from "./observer.ts";
import type { Registry } from "./registry.ts";

export interface ExecutorOptions {
  registry: Registry;
  /** How many bodies of one batch may run at the same time; no limit when absent. */
  concurrency?: number | undefined;
  /** Milliseconds that a call may take unless its tool says otherwise; 120,000 when absent, `Infinity` for no limit. */
  timeout?: number | undefined;
  /** Who decides which calls run; without it all do. */
  approval?: Approval | undefined;
  /** Told what happens, as it happens. What it throws is ignored. */
  observer?: Observer | undefined;
}

/**
 * Makes an executor over the tools of a registry. Per call: mint an id if it has none that will do → resolve the tool → check the
 * arguments → approval → wait for its turn → `journal.started` → run the body → `journal.finished`.
 *
 * @throws RangeError if `concurrency` or `timeout` is not above zero
 */
export function createExecutor(options: ExecutorOptions): Executor {
  const { registry, approval, concurrency = Number.POSITIVE_INFINITY, timeout = 120_000 } = options;
  if (!(concurrency >= 1)) throw new RangeError(`concurrency is ${concurrency}; give a number of at least 1.`);
  if (!(timeout > 0)) throw new RangeError(`timeout is ${timeout}; give milliseconds above zero.`);
  const settings = { registry, approval, concurrency, timeout, observe: guarded(options.observer) };

  const open = (context: BatchContext, batchOptions?: BatchOptions) => createBatch(settings, context, batchOptions);
  return {
    open,
    async run(calls: readonly ToolCall[], context, batchOptions) {
      const batch = open(context, batchOptions);
      for (const call of calls) batch.add(call);
      return batch.run();
    },
  };
}
