import type { LogEvent, RecordEvent } from "@cogency/protocol";
import { checkOptions, having, object, required, signal, text, whole } from "@cogency/protocol/options";
import {
  estimateUsage,
  generate,
  type ModelRequest,
  type Price,
  type Provider,
  ProviderError,
} from "@cogency/provider";
import type { Key, Store } from "@cogency/storage";
import { isCounted, Meter } from "../meter.ts";
import { settingsFor } from "./compaction-settings.ts";
import { rememberedWindow } from "./context-window.ts";
import type { OwnAnswer } from "./history.ts";
import { estimateShown, planNow } from "./plan-now.ts";
import { writeSummary } from "./write-summary.ts";

export interface CompactNowOptions {
  /** The model that writes the summary. */
  provider: Provider;
  price?: Price | undefined;
  /** Tokens that this model takes. Defaults to what a refusal has told, else to what the conversation needs. */
  window?: number | undefined;
  /** What the summary must not lose. */
  instructions?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** What a compaction by hand has done. */
export interface Compacted {
  /** Tokens of the next request before and after, as the provider counted the last one and as the rest is estimated. */
  before: number;
  after: number;
  /** What stands for the earlier part of the conversation now. */
  text: string;
}

/**
 * Sums up a conversation at once, however much room it has: all but the last round. A run must not be at work on it. No hook sees the
 * requests, and no budget holds for them. What they use stands in the log.
 *
 * @returns undefined for a conversation that is too short: a summary would be as long
 * @throws ProviderError; LeaseHeldError, ConflictError while a run is at work on the conversation; StoreError; the reason of the signal
 */
export async function compactNow(
  store: Store,
  { conversation, user }: Key,
  options: CompactNowOptions,
): Promise<Compacted | undefined> {
  checkOptions<CompactNowOptions>("compactNow", options, {
    provider: required(having("a provider", "stream")),
    price: object,
    window: whole(1000, Number.MAX_SAFE_INTEGER),
    instructions: text,
    signal,
  });
  const key = { conversation, user };
  let log: readonly LogEvent[] = await store.load(key);
  const [before, shownBefore] = [contextOf(log), estimateShown(log)];
  const { provider, window = rememberedWindow(log, provider.model) ?? Math.max(8000, 2 * before) } = options;
  let compacted: Compacted | undefined;
  for (;;) {
    const planned = planNow(log, window, compacted !== undefined);
    if (!planned) return compacted;
    const { plan, summaryTokens } = planned;
    const settings = settingsFor({ ...options, keep: 0, summaryTokens }, window);
    const asked = log;
    const written = await writeSummary(settings, { log, ask: (request) => ask(options, request) }, plan);
    if (!written) throw options.signal?.reason;
    await append(store, key, asked.length, written, plan.upTo);
    log = await store.load(key);
    compacted = { before, after: before - shownBefore + estimateShown(log), text: written.text };
  }
}

async function append(store: Store, key: Key, length: number, { text, used }: OwnAnswer, upTo: number): Promise<void> {
  const summary: RecordEvent = { type: "record", kind: "summary", data: { upTo, text }, timestamp: now() };
  const lease = await store.lease(key, { owner: `compact-${crypto.randomUUID()}`, ttl: 30_000 });
  try {
    await store.append(key, [used, summary], { expected: length, lease });
  } finally {
    await lease.release();
  }
}

async function ask(
  { provider, price, signal }: CompactNowOptions,
  request: ModelRequest,
): Promise<OwnAnswer | undefined> {
  const begun = now();
  const events = await generate(provider, request, { signal });
  signal?.throwIfAborted();
  let text = "";
  let usage = undefined as ReturnType<typeof estimateUsage> | undefined;
  for (const event of events) {
    if (event.type === "text") text += event.text;
    if (event.type === "usage" && isCounted(event.usage)) usage = event.usage;
  }
  if (text.trim() === "") throw new ProviderError("bad_response", `The model ${provider.model} gave no text.`);
  const data = new Meter(now, price).add(usage ?? estimateUsage(request, text), Math.max(0, now() - begun));
  return { text, used: { type: "record", kind: "usage", data, timestamp: now() } };
}

function now(): number {
  return Date.now() / 1000;
}

/** Tokens of the last request of a step and its answer, as they were counted, or what the events show if that is more. */
function contextOf(log: readonly LogEvent[]): number {
  const shown = estimateShown(log);
  for (const [index, event] of [...log.entries()].reverse()) {
    const next = log[index + 1];
    const isOfSummary = next?.type === "record" && next.kind === "summary";
    if (event.type !== "record" || event.kind !== "usage" || isOfSummary) continue;
    const { input, output, cacheRead, cacheWrite } = event.data;
    const isSummedUp = log.slice(index).some((later) => later.type === "record" && later.kind === "summary");
    return isSummedUp ? shown : Math.max(shown, input + output + cacheRead + cacheWrite);
  }
  return shown;
}
