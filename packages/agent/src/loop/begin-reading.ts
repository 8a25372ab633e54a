import type { LogEvent, MessageForm } from "@cogency/protocol";
import type { Reading } from "../drivers/driver.ts";
import { runErrorOf } from "../errors.ts";
import type { RunContext } from "../run-context.ts";
import { shownMessages } from "./make-room.ts";
import { recordRequest } from "./request-records.ts";

/**
 * Begins the reading of a step, and records its request.
 *
 * @throws RunError `driver`, `attachments`
 */
export function beginReading(context: RunContext, log: readonly LogEvent[]): Reading {
  const { driver, system, offered, finder, provider, request, clock } = context.settings;
  let form: MessageForm | undefined;
  const messages = (asked: MessageForm) => {
    const shown = shownMessages(context, log, asked);
    if (shown.areOfLog) form = asked;
    return shown.messages;
  };
  try {
    const findsTools = finder !== undefined;
    const reading = driver.begin({ log, messages, system, tools: offered, findsTools, provider, request, clock });
    context.attachments.check(context.settings, reading.request);
    recordRequest(context, reading.request, form);
    return reading;
  } catch (error) {
    throw runErrorOf(error, "driver");
  }
}
