import type { RunOptions } from "./agent-options.ts";
import { askModel } from "./drivers/model-answer.ts";
import { openLog } from "./log/conversation-log.ts";
import { foreignContent } from "./log/held-content.ts";
import { type RunLease, runLease } from "./log/run-lease.ts";
import { runLoop } from "./loop/loop.ts";
import { createMeter } from "./meter.ts";
import { createRun, type Run } from "./run.ts";
import type { RunContext } from "./run-context.ts";
import { type SessionLine, sessionLine } from "./session/session-line.ts";
import type { Settings } from "./settings.ts";

/** Makes a run that has not begun. `text` is its prompt; without one the run recovers the conversation. */
export function startRun(settings: Settings, text: string | undefined, options: RunOptions): Run {
  const { conversation = crypto.randomUUID(), user, stream = "event", metadata = {}, untrusted } = options;
  const leaving = new AbortController();
  const key = { conversation, user };
  const signal = options.signal ? AbortSignal.any([options.signal, leaving.signal]) : leaving.signal;
  const lease = runLease(settings.store, key, settings.lease, signal);
  const session = openLine(settings, stream);
  const meter = createMeter(settings.clock, settings.price);
  const context: RunContext = {
    settings,
    log: openLog(settings.store, key, lease),
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
  return createRun(
    conversation,
    closeAfter(session, holdLease(lease, runLoop(context, text === undefined ? undefined : { text, untrusted }))),
    () => leaving.abort(),
    () => ({ text: context.lastText, ...meter.tally, toolErrors: context.toolErrors }),
  );
}

function openLine({ connect, mayReplay, provider }: Settings, stream: RunContext["stream"]): SessionLine | undefined {
  if (!connect) return undefined;
  return sessionLine(connect, mayReplay ? (...asked) => askModel(provider, stream, ...asked) : undefined);
}

/** Closes the session when the run is over. */
async function* closeAfter<T, R>(session: SessionLine | undefined, loop: AsyncGenerator<T, R>): AsyncGenerator<T, R> {
  try {
    return yield* loop;
  } finally {
    await session?.close();
  }
}

/** Holds the lease while the run works. Without it, a second run would answer the open calls of the first as abandoned. */
async function* holdLease<T, R>(lease: RunLease, loop: AsyncGenerator<T, R>): AsyncGenerator<T, R> {
  try {
    await lease.take();
    return yield* loop;
  } finally {
    await lease.release();
  }
}
