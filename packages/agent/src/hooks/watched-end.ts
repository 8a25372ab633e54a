import { runErrorOf } from "../errors.ts";
import { ConsumerLeft } from "../outlet.ts";
import type { RunResult } from "../run.ts";
import type { RunContext } from "../run-context.ts";
import { progressOf } from "../run-progress.ts";
import { stopOfSignal } from "../stop-of-signal.ts";

/** Does the work of a run, and calls the hooks of its end: `onError` if it failed, then `afterRun`. */
export async function watchedEnd(context: RunContext, work: () => Promise<RunResult>): Promise<RunResult> {
  const { hooks } = context;
  if (!hooks) return work();
  let result: RunResult;
  try {
    result = await work();
  } catch (error) {
    if (error instanceof ConsumerLeft) {
      await hooks.afterRun({ status: "stopped", ...progressOf(context), stop: stopOfSignal(context.signal) });
      throw error;
    }
    const failure = runErrorOf(error, "driver");
    await hooks.onError(failure);
    await hooks.afterRun({ status: "failed", ...progressOf(context), error: failure });
    throw failure;
  }
  await hooks.afterRun(result);
  return { ...result, ...progressOf(context) };
}
