import { pausableTimer } from "@cogency/async";
import { runErrorOf } from "../errors.ts";
import { RunHooks } from "../hooks/run-hooks.ts";
import { ConsumerLeft } from "../outlet.ts";
import { consumerLeft, type RunResult } from "../run.ts";
import type { RunContext } from "../run-context.ts";
import { progressOf } from "../run-progress.ts";
import { RunTools } from "../sources/run-tools.ts";
import { stopOfSignal } from "../stop-of-signal.ts";
import { tellEnd } from "../timeline/run-activity.ts";
import type { Prompt } from "./begin-run.ts";
import { giveUp } from "./end-run.ts";
import { runLoop } from "./loop.ts";

/**
 * A run from its first pull to its result: the loop, the hooks of its end, then it gives back what it held, and its end stands on the
 * timeline. After an abort the run ends in at most 450 ms, whatever hangs; time in which the consumer asks for no event does not count.
 * Work that is left then goes on unheard. Never rejects.
 */
export async function runScope(context: RunContext, prompt: Prompt | undefined): Promise<RunResult> {
  const { settings, signal, outlet } = context;
  if (settings.changing) context.tools = new RunTools(context);
  if (settings.hooks) context.hooks = new RunHooks(settings.hooks, context);
  const overdue = Promise.withResolvers<void>();
  let timer: ReturnType<typeof pausableTimer> | undefined;
  const startTimer = () => {
    timer = pausableTimer(limit, overdue.resolve);
    outlet.pace(timer);
  };
  if (signal.aborted) startTimer();
  else signal.addEventListener("abort", startTimer, { once: true });
  let isWorking = true;
  const late = overdue.promise.then(() => (isWorking ? giveUp(context) : new Promise<never>(() => {})));
  let result: RunResult;
  try {
    try {
      result = await Promise.race([loopAndHooks(context, prompt), late]);
    } finally {
      isWorking = false;
      await Promise.race([release(context), overdue.promise]);
      signal.removeEventListener("abort", startTimer);
      timer?.stop();
    }
  } catch (error) {
    result = endOfError(context, error);
  }
  tellEnd(context, prompt ? "run" : "recover", result);
  return result;
}

/** Milliseconds between an abort and the end of the run. */
const limit = 450;

/** The loop, then the hooks of the run's end: `onError` if it failed, and `afterRun`. */
async function loopAndHooks(context: RunContext, prompt: Prompt | undefined): Promise<RunResult> {
  let hasLeft = false;
  const result = await runLoop(context, prompt).catch((error: unknown) => {
    hasLeft = error instanceof ConsumerLeft;
    return endOfError(context, error);
  });
  const { hooks, signal } = context;
  if (!hooks) return result;
  if (result.status === "failed") await hooks.onError(result.error);
  await hooks.afterRun(hasLeft ? ({ ...result, stop: stopOfSignal(signal) } as RunResult) : result);
  return { ...result, ...progressOf(context) };
}

function endOfError(context: RunContext, error: unknown): RunResult {
  const progress = progressOf(context);
  if (error instanceof ConsumerLeft) return { status: "stopped", ...progress, stop: consumerLeft };
  return { status: "failed", ...progress, error: runErrorOf(error, "driver") };
}

/** Gives back what the run holds: its lease, without which nobody else can write, and its session. */
async function release({ deadline, live, log, mailbox, lease, session }: RunContext): Promise<void> {
  deadline.close();
  live?.close();
  mailbox.close();
  await log.close();
  await lease.release();
  // The run may have changed it.
  await session?.close();
}
