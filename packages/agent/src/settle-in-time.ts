import { pausableTimer } from "@cogency/async";
import type { RunContext } from "./run-context.ts";

/**
 * Runs the work of a run, then gives back what it held. After an abort both take at most 450 ms together, whatever hangs; time in
 * which the consumer asks for no event does not count. The work that is left then goes on unheard.
 *
 * @param instead the result of a run whose work is left
 */
export async function settleInTime<R>(
  { signal, outlet }: Pick<RunContext, "signal" | "outlet">,
  { work, instead, release }: { work(): Promise<R>; instead(): R; release(): Promise<void> },
): Promise<R> {
  const overdue = Promise.withResolvers<void>();
  let timer: ReturnType<typeof pausableTimer> | undefined;
  let isWorking = true;
  const start = () => {
    timer = pausableTimer(limit, overdue.resolve);
    outlet.pace(timer);
  };
  if (signal.aborted) start();
  else signal.addEventListener("abort", start, { once: true });
  try {
    return await Promise.race([work(), overdue.promise.then(() => (isWorking ? instead() : new Promise<R>(() => {})))]);
  } finally {
    isWorking = false;
    await Promise.race([release(), overdue.promise]);
    signal.removeEventListener("abort", start);
    timer?.stop();
  }
}

/** Milliseconds between an abort and the end of the run. */
const limit = 450;
