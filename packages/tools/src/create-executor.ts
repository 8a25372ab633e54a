import type { ToolCall } from "@cogency/protocol";
import { checkOptions } from "@cogency/protocol/options";
import { processKeyRing } from "./approval/key-ring.ts";
import { createBatch } from "./batch/create-batch.ts";
import type { BatchContext, BatchOptions, Executor } from "./executor.ts";
import { defaultToolTimeout, type ExecutorOptions } from "./executor-options.ts";
import { executorTable } from "./executor-table.ts";
import { guarded } from "./observer.ts";
import { resultLimits } from "./result/result-limits.ts";
import { truncatedResult } from "./result/truncated-result.ts";

/**
 * Makes an executor of the tools of a registry. The stages of each call: id → `beforeToolUse` hooks → find the tool → check
 * the arguments → approval → wait for earlier calls that touch the same resource → `journal.started` → run the body →
 * `afterToolUse` hooks → `journal.finished` → observers.
 *
 * @throws TypeError for an unknown option or one of a wrong type, RangeError for an unknown value or one out of its range
 */
export function createExecutor(options: ExecutorOptions): Executor {
  checkOptions<ExecutorOptions>("createExecutor", options, executorTable);
  const { registry, approval, concurrency = Number.POSITIVE_INFINITY, timeout = defaultToolTimeout } = options;
  const { maxResultBytes = 64 * 1024, hooks = [], attachments = {} } = options;
  const { throwOnToolFailure = false, stopOnToolBlock = false, earlyStart = false } = options;
  const limits = resultLimits(registry, maxResultBytes);
  const settings = {
    registry,
    approval,
    keyRing: options.keyRing ?? processKeyRing(),
    concurrency,
    timeout,
    limits,
    attachments,
    hooks: hooks.toSorted((one, other) => (other.priority ?? 0) - (one.priority ?? 0)),
    throwOnToolFailure,
    stopOnToolBlock,
    earlyStart: earlyStart && !throwOnToolFailure && !stopOnToolBlock,
    observe: guarded(options.observer),
  };

  const open = (context: BatchContext, batchOptions?: BatchOptions) => createBatch(settings, context, batchOptions);
  return {
    open,
    async run(calls: readonly ToolCall[], context, batchOptions) {
      const batch = open(context, batchOptions);
      for (const call of calls) batch.add(call);
      return batch.run();
    },
    shorten(result, id) {
      const tool = registry.has(result.tool) ? registry.get(result.tool) : undefined;
      return truncatedResult(result, { id, ...limits(tool) });
    },
  };
}
