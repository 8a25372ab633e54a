import type { RunOptions } from "./agent-options.ts";
import { randomId } from "./flat-text.ts";
import { openLog } from "./log/conversation-log.ts";
import { foreignContent } from "./log/held-content.ts";
import { type RunLease, runLease } from "./log/run-lease.ts";
import { askModel } from "./loop/ask-model.ts";
import { runLoop } from "./loop/loop.ts";
import { Meter } from "./meter.ts";
import { createRun, type Run } from "./run.ts";
import type { RunContext } from "./run-context.ts";
import { type SessionLine, sessionLine } from "./session/session-line.ts";
import type { Settings } from "./settings.ts";

/** Makes a run that has not begun. `text` is its prompt; without one the run recovers the conversation. */
export function startRun(settings: Settings, text: string | undefined, options: RunOptions): Run {
  const { conversation = randomId(), user, stream = "event", metadata = {}, untrusted } = options;
  const leaving = new AbortController();
  const key = { conversation, user };
  const signal = options.signal ? AbortSignal.any([options.signal, leaving.signal]) : leaving.signal;
  const lease = runLease(settings.store, key, settings.lease, signal);
  const session = openLine(settings, stream);
  const meter = new Meter(settings.clock, settings.price);
  const context: Omit<RunContext, "outlet"> = {
    settings,
    log: openLog(settings.store, key, lease, signal),
    meter,
    session,
    conversation,
    user,
    stream,
    signal,
    metadata,
    assumed: foreignContent,
    lastText: "",
    toolErrors: 0,
  };
  const prompt = text === undefined ? undefined : { text, untrusted };
  return createRun({
    conversation,
    loop: (outlet) => holding(context, lease, () => runLoop(Object.assign(context, { outlet }), prompt)),
    cancel: () => leaving.abort(),
    progress: () => ({ text: context.lastText, ...meter.tally, toolErrors: context.toolErrors }),
  });
}

function openLine({ connect, mayReplay, provider }: Settings, stream: RunContext["stream"]): SessionLine | undefined {
  if (!connect) return undefined;
  return sessionLine(connect, mayReplay ? (...asked) => askModel(provider, stream, ...asked) : undefined);
}

/**
 * Holds the lease while the run works, and closes the session after it. Without the lease, a second run would answer the
 * open calls of the first as abandoned.
 */
async function holding<R>(
  { log, session }: Pick<RunContext, "log" | "session">,
  lease: RunLease,
  work: () => Promise<R>,
): Promise<R> {
  try {
    await lease.take();
    return await work();
  } finally {
    log.close();
    await lease.release();
    await session?.close();
  }
}
