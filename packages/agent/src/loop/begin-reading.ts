import type { LogEvent, MessageForm } from "@cogency/protocol";
import type { Reading } from "../drivers/driver.ts";
import { runErrorOf } from "../errors.ts";
import type { RunContext } from "../run-context.ts";
import { recordRequest } from "./request-records.ts";

/** A reading that has begun. */
export interface BegunReading {
  reading: Reading;
  /** The form in which the driver asked for the messages of the log; undefined if it made other messages. */
  form: MessageForm | undefined;
}

/**
 * Begins the reading of a step, and records its request, unless a hook may still change it.
 *
 * @throws RunError `driver`, `attachments`
 */
export function beginReading(context: RunContext, log: readonly LogEvent[]): BegunReading {
  const { driver, system, offered, finder, provider, request, clock } = context.settings;
  let form: MessageForm | undefined;
  const messages = (asked: MessageForm) => {
    form = asked;
    return context.log.messages(asked);
  };
  try {
    const findsTools = finder !== undefined;
    const reading = driver.begin({ log, messages, system, tools: offered, findsTools, provider, request, clock });
    context.attachments.check(context.settings, reading.request);
    if (!context.hooks?.has("beforeRequest")) recordRequest(context, reading.request, form);
    return { reading, form };
  } catch (error) {
    throw runErrorOf(error, "driver");
  }
}
