import type { LogEvent, MessageForm } from "@cogency/protocol";
import type { StopSignal } from "@cogency/tools/host";
import type { Reading, StepContext } from "../drivers/driver.ts";
import { runErrorOf } from "../errors.ts";
import type { RunContext } from "../run-context.ts";
import { shownMessages } from "./ask-for-room.ts";
import type { FromLog } from "./from-log.ts";
import type { Reservation } from "./ledger.ts";
import { recordRequest } from "./record-request.ts";
import { needOf } from "./request-need.ts";

/** A request that may be made. */
export interface BegunReading {
  reading: Reading;
  /** How assembly made its messages from the log; undefined if the driver made other messages. */
  fromLog: FromLog | undefined;
  /** What is reserved for it. */
  reservation: Reservation;
}

/**
 * Begins the reading of a step, reserves what its request may use, and records the request, unless a hook may still change it. Gives
 * why the request is not made if it does not fit into what is left of the budget.
 *
 * @param isRepeat whether the step counts already: its first request failed
 * @throws RunError `driver`, `attachments`
 */
export function beginReading(
  context: RunContext,
  log: readonly LogEvent[],
  isRepeat: boolean,
): BegunReading | StopSignal {
  const { driver, system, offered, finder, provider, request, clock } = context.settings;
  let fromLog: FromLog | undefined;
  const messages = (asked: MessageForm) => {
    const shown = shownMessages(context, log, asked);
    if (shown.fromLog) fromLog = shown.fromLog;
    return shown.messages;
  };
  try {
    const findsTools = finder !== undefined;
    const { live } = context;
    const asked: StepContext = {
      ...{ log, messages, system, tools: offered, findsTools, provider, request, clock },
      // Whoever watches from another process is known a moment after the run has begun.
      get callDeltas() {
        return live?.isFollowed ?? false;
      },
    };
    const reading = driver.begin(asked);
    context.attachments.check(context.settings, reading.request);
    const reservation = context.ledger.reserve(needOf(context, reading.request), isRepeat);
    if ("reason" in reservation) return reservation;
    if (!context.hooks?.has("beforeRequest")) recordRequest(context, reading.request, fromLog);
    return { reading, fromLog, reservation };
  } catch (error) {
    throw runErrorOf(error, "driver");
  }
}
