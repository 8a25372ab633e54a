import type { LogEvent, MessageForm, ModelMessage, RecordEvent, Usage } from "@cogency/protocol";
import {
  estimateUsage,
  generate,
  isProviderError,
  type ModelRequest,
  type Price,
  ProviderError,
  zeroUsage,
} from "@cogency/provider";
import type { StopSignal } from "@cogency/tools/host";
import { isRunError, RunError, runErrorOf } from "../errors.ts";
import { condensed, firstShown, type NextRequest } from "../history/history.ts";
import { StoppedByHook } from "../hooks/run-hooks.ts";
import { orAbandoned } from "../log/or-abandoned.ts";
import { isCounted } from "../meter.ts";
import type { Model } from "../model.ts";
import type { RunContext } from "../run-context.ts";
import { ToldRequest } from "../timeline/told-request.ts";
import { checkEvent } from "./ask-model.ts";
import type { FromLog } from "./from-log.ts";
import { needOfOther } from "./request-need.ts";

/**
 * The messages of the loaded log as the agent's history shows them. `fromLog` says how assembly makes them of the whole log; undefined if
 * it does not.
 */
export function shownMessages(
  { log, settings: { history } }: Pick<RunContext, "log" | "settings">,
  events: readonly LogEvent[],
  form: MessageForm,
): { messages: ModelMessage[]; fromLog: FromLog | undefined } {
  const from = firstShown(history, events);
  const { without, words } = condensed(history, events);
  let hasWords = false;
  const whole = log.messages(form, from, {
    without,
    words: (first) => {
      const text = words?.(first);
      hasWords = text !== undefined;
      return text;
    },
  });
  if (from > 0) whole.unshift(leftOut);
  const messages = history.reduce<readonly ModelMessage[]>((shown, one) => one.transform?.(shown) ?? shown, whole);
  const areOfLog = from === 0 && messages === whole && !hasWords;
  return {
    messages: messages as ModelMessage[],
    fromLog: areOfLog ? { form, ...(without?.size && { without: [...without] }) } : undefined,
  };
}

/** The same object in every request, as other messages are. A request has to begin with a message of the user. */
const leftOut: ModelMessage = { role: "user", content: "The earlier messages of this conversation are left out." };

/**
 * Lets the agent's history make the next request smaller, before it is made, or after the provider has refused it. Returns whether it
 * is smaller.
 *
 * @param refusal why the step failed
 * @param refusals how many requests of the step were refused, this one included
 * @throws RunError `context_overflow`, `provider`, `store`, `busy`, `not_stored`, `driver`; Unaffordable
 */
export async function askForRoom(context: RunContext, refusal?: unknown, refusals = 0): Promise<boolean> {
  const { signal, settings } = context;
  const cause = isRunError(refusal) && refusal.code === "provider" ? refusal.cause : undefined;
  // Only what the provider has said of the request can be mended here.
  if (refusal !== undefined && !isProviderError(cause)) return false;
  let isSmaller = false;
  for (const one of settings.history) {
    if (!one.makeRoom || signal.aborted) continue;
    const made = await one.makeRoom(await nextRequest(context, cause, refusals));
    if (typeof made === "object") throw new RunError("context_overflow", made.overflow, { cause });
    isSmaller ||= made === "smaller";
  }
  return isSmaller;
}

async function nextRequest(context: RunContext, refusal: unknown, refusals: number): Promise<NextRequest> {
  const { settings, log: stored, size, signal, timeline, outlet } = context;
  const { clock } = settings;
  const log = await stored.load();
  const request = requestOf(context, log);
  const tokens = size.of(request);
  return {
    log,
    model: settings.request.model ?? settings.provider.model,
    contextWindow: settings.request.model === undefined ? settings.provider.capabilities.contextWindow : undefined,
    tokens,
    fixedTokens: size.ofFixed(request),
    maxOutputTokens: settings.request.maxOutputTokens,
    refusal,
    refusals,
    signal,
    clock,
    ask: (request, other) => ask(context, request, other),
    async summarize(summary, used) {
      await stored.append([used, { type: "record", kind: "summary", data: { ...summary }, timestamp: clock() }]);
      const next = await nextRequest(context, refusal, refusals);
      timeline.tell(() => ({ type: "compacted", before: Math.round(tokens), after: Math.round(next.tokens) }));
      return next;
    },
    report: (code, content) => outlet.put({ type: "error", code, content, timestamp: clock() }),
  };
}

/** The request that the step will make, without making it. */
function requestOf(context: RunContext, log: readonly LogEvent[]): ModelRequest {
  const { driver, system, offered, finder, provider, request, clock } = context.settings;
  const messages = (form: MessageForm) => shownMessages(context, log, form).messages;
  try {
    const findsTools = finder !== undefined;
    return driver.begin({ log, messages, system, tools: offered, findsTools, provider, request, clock }).request;
  } catch (error) {
    throw runErrorOf(error, "driver");
  }
}

/** Makes a request that is no step. Its usage counts as soon as its answer is there. */
async function ask(
  context: RunContext,
  request: ModelRequest,
  other: Parameters<NextRequest["ask"]>[1] = {},
): ReturnType<NextRequest["ask"]> {
  const { settings, timeline, meter, ledger, signal } = context;
  const { clock, request: own } = settings;
  const { provider = settings.provider } = other;
  const given = provider === settings.provider && own.model ? { model: own.model, ...request } : request;
  const { request: asked, price } = await seenByHooks(context, given, {
    provider,
    price: other.provider ? other.price : meter.price,
  });
  if (signal.aborted) return undefined;
  const reserved = ledger.reserve(needOfOther(asked, price));
  if ("reason" in reserved) {
    // The step may still be made: only the price of the other model speaks against its request.
    throw other.provider ? new RunError("provider", reserved.message) : new Unaffordable(reserved);
  }
  const begun = clock();
  const activity = new ToldRequest(timeline, asked, provider, false);
  try {
    const answering = orAbandoned(() => generate(provider, asked, { signal }), signal, undefined);
    const events = await answering.catch((error: unknown) => {
      activity.end([], !signal.aborted, error);
      throw error;
    });
    let text = "";
    let reported: Usage | undefined;
    for (const event of events ?? []) {
      checkEvent(provider.name, event);
      if (event.type === "text") text += event.text;
      if (event.type === "usage" && isCounted(event.usage)) reported = event.usage;
    }
    reserved.release();
    const usage = reported ?? (events ? estimateUsage(asked, text) : { ...zeroUsage, estimated: true });
    const data = meter.add(usage, Math.max(0, clock() - begun), { price });
    activity.end([{ type: "usage", usage }], false);
    if (!events || signal.aborted) return undefined;
    if (text.trim() === "") throw new ProviderError("bad_response", `The model ${provider.model} gave no text.`);
    const used: RecordEvent = { type: "record", kind: "usage", data, timestamp: clock() };
    return { text, used };
  } catch (error) {
    if (signal.aborted) return undefined;
    throw runErrorOf(error, "provider");
  } finally {
    reserved.release();
  }
}

/** @throws Unaffordable where a hook stops the run */
async function seenByHooks(
  { hooks }: RunContext,
  request: ModelRequest,
  asked: Pick<Model, "provider" | "price">,
): Promise<{ request: ModelRequest; price: Price | undefined }> {
  if (!hooks?.has("beforeRequest")) return { request, price: asked.price };
  try {
    return await hooks.beforeSummary(request, asked);
  } catch (error) {
    throw error instanceof StoppedByHook ? new Unaffordable(error.stop) : runErrorOf(error, "driver");
  }
}

/** A request that is no step may not be made: a hook stops the run, or what is left of the budget is less than it needs. */
export class Unaffordable extends Error {
  readonly stop: StopSignal;

  constructor(stop: StopSignal) {
    super(stop.message);
    this.stop = stop;
  }
}
