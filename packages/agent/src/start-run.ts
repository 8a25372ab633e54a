import type { AgentEvent, RunEvent } from "@cogency/protocol";
import type { RecoverOptions, RunOptions } from "./agent-options.ts";
import { goOnWithRoot, rootBehind } from "./child/root.ts";
import type { RunError } from "./errors.ts";
import { randomId } from "./flat-text.ts";
import { Mailbox } from "./inbox/mailbox.ts";
import type { Received } from "./inbox/received.ts";
import { handedOver } from "./interruption.ts";
import { RunLive } from "./live/run-live.ts";
import { ConversationLog } from "./log/conversation-log.ts";
import { foreignContent } from "./log/held-content.ts";
import { callersLease, runLease } from "./log/run-lease.ts";
import { RequestAttachments } from "./loop/attachments.ts";
import { Deadline } from "./loop/deadline.ts";
import { Ledger } from "./loop/ledger.ts";
import { RequestRecords } from "./loop/request-records.ts";
import { RequestSize } from "./loop/request-size.ts";
import { runScope } from "./loop/run-scope.ts";
import { Meter } from "./meter.ts";
import type { PromptContent } from "./options.ts";
import { Outlet } from "./outlet.ts";
import { consumerLeft, createRun, type Run, type RunResult } from "./run.ts";
import type { ParentLink, RunContext } from "./run-context.ts";
import { progressOf } from "./run-progress.ts";
import { openLine } from "./session/open-line.ts";
import type { Settings } from "./settings.ts";
import { Timeline } from "./timeline/timeline.ts";

/** Makes a run that has not begun. Without `content`, that of its prompt, the run recovers the conversation. */
export function startRun(
  settings: Settings,
  content: PromptContent | undefined,
  options: RunOptions & Pick<RecoverOptions, "wait" | "leaveCancelled"> & { parent?: ParentLink },
): Run<AgentEvent | RunEvent> {
  const {
    conversation = randomId(),
    user,
    stream = "event",
    metadata = {},
    untrusted,
    approve,
    answer,
    atLimit,
    on,
    parent,
  } = options;
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
    : runLease(settings.store, key, { ...settings.lease, waits: options.wait }, signal, onLost);
  const log = new ConversationLog(settings.store, key, lease, signal, settings.scope);
  const onCancel = ({ message }: Received) => leaving.abort(cancelReason(message));
  // A new prompt goes on whatever was to be stopped before it.
  const isFromBefore = (at: number) => content !== undefined && !parent && at < (lease.takenAt ?? 0);
  const mailbox = new Mailbox({ ...settings, key, onCancel, isFromBefore });
  const timeline = new Timeline({
    conversation,
    user,
    clock: settings.clock,
    listeners: settings.listeners,
    own: on,
    offer: options.events === "all" ? (event) => outlet.offer(event) : undefined,
  });
  const { promise: result, resolve } = Promise.withResolvers<RunResult>();
  const outlet = new Outlet<AgentEvent, AgentEvent | RunEvent>(async () => {
    const own = await runScope(context, content && { ...content, untrusted, private: options.private });
    const root = content ? undefined : rootBehind(own);
    // What was due goes on from where it began.
    const goOn = (conversation: string) =>
      startRun(settings, undefined, { ...options, conversation, lease: undefined });
    const ended = root ? await goOnWithRoot(settings, { conversation, user }, root, goOn) : own;
    resolve(ended);
    if (ended.status === "failed") throw ended.error;
  }, timeline);
  const above = parent?.context;
  const meter = new Meter(settings.clock, settings.price, above?.meter);
  const context: RunContext = {
    settings,
    log,
    mailbox,
    outlet,
    timeline,
    live: settings.live ? new RunLive(settings.store, key, timeline.id, log) : undefined,
    tools: undefined,
    clientTools: [],
    hooks: undefined,
    approve,
    answer,
    atLimit,
    meter,
    ledger: new Ledger(settings.limits, meter, above?.ledger),
    deadline: new Deadline(
      settings.limits.seconds,
      (reason) => leaving.abort(reason),
      atLimit !== undefined,
      above?.deadline,
    ),
    parent,
    size: new RequestSize(),
    attachments: new RequestAttachments(),
    requests: settings.recordsRequests ? new RequestRecords(settings) : undefined,
    session: openLine(settings, stream),
    fallback: [...settings.fallback],
    conversation,
    user,
    stream,
    signal,
    handOver: () => {
      if (options.handOver?.aborted) leaving.abort(handedOver());
    },
    handingOver: options.handOver,
    lease,
    leavesCancelled: options.leaveCancelled ?? false,
    ending: undefined,
    lostLease: undefined,
    metadata,
    assumed: [...foreignContent, ...settings.instructionsHold],
    judgedBy: [],
    lastText: "",
    mayNudge: true,
    toolErrors: 0,
    questionErrors: [],
    unknown: new Map(),
  };
  parent?.onContext(context);
  const leave = async () => {
    leaving.abort();
    await outlet.leave();
    // Of a run that has not begun; any other one has its result.
    resolve({ status: "stopped", ...progressOf(context), stop: consumerLeft });
  };
  return createRun({ conversation, outlet, result, leave });
}

/** The reason of an abort by a message. */
function cancelReason({ reason, from }: { reason?: string | undefined; from?: string }): Error {
  const by = from === undefined ? "" : ` by ${from}`;
  return new Error(reason === undefined ? `cancelled${by}` : `cancelled${by}: ${reason}`);
}
