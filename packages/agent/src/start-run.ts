import type { RunOptions } from "./agent-options.ts";
import type { RunError } from "./errors.ts";
import { randomId } from "./flat-text.ts";
import { openLog } from "./log/conversation-log.ts";
import { foreignContent } from "./log/held-content.ts";
import { callersLease, runLease } from "./log/run-lease.ts";
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
  // A run that cannot take its lease again ends before its next effect.
  const onLost = () => {
    log.regain().catch((error: RunError) => {
      context.lostLease ??= error;
      leaving.abort(error);
    });
  };
  const lease = options.lease
    ? callersLease(options.lease, onLost)
    : runLease(settings.store, key, settings.lease, signal, onLost);
  const log = openLog(settings.store, key, lease, signal);
  const context: Omit<RunContext, "outlet"> = {
    settings,
    log,
    meter: new Meter(settings.clock, settings.price),
    session: openLine(settings, stream),
    conversation,
    user,
    stream,
    signal,
    lease,
    ending: undefined,
    lostLease: undefined,
    metadata,
    assumed: foreignContent,
    lastText: "",
    toolErrors: 0,
  };
  const prompt = text === undefined ? undefined : { text, untrusted };
  return createRun({
    conversation,
    loop: (outlet) => releasing(context, () => runLoop(Object.assign(context, { outlet }), prompt)),
    cancel: () => leaving.abort(),
    progress: () => ({ text: context.lastText, ...context.meter.tally, toolErrors: context.toolErrors }),
  });
}

function openLine({ connect, mayReplay, provider }: Settings, stream: RunContext["stream"]): SessionLine | undefined {
  if (!connect) return undefined;
  return sessionLine(connect, mayReplay ? (...asked) => askModel(provider, stream, ...asked) : undefined);
}

/** Gives back what the run holds when it is over: its lease, without which nobody else can write, and its session. */
async function releasing<R>(
  { log, lease, session }: Pick<RunContext, "log" | "lease" | "session">,
  work: () => Promise<R>,
): Promise<R> {
  try {
    return await work();
  } finally {
    await log.close();
    await lease.release();
    await session?.close();
  }
}
