import { above, checkOptions, having, object, text, whole } from "@cogency/protocol/options";
import { type CompactionPlan, type Kept, planOf } from "./compaction-plan.ts";
import { type CompactionOptions, type CompactionSettings, settingsFor } from "./compaction-settings.ts";
import { isContextTooLong } from "./context-too-long.ts";
import { type LearnedWindow, rememberedWindow, windowAfterRefusal } from "./context-window.ts";
import type { History, NextRequest, RoomMade } from "./history.ts";
import { overflow } from "./overflow.ts";
import { writeSummary } from "./write-summary.ts";

/**
 * Replaces the earlier part of a conversation by a summary, which the model writes, once the next request would fill the window. The
 * summary is stored, the events that it stands for stay in the log, and `undoCompaction` takes it back. It is asked for before a request
 * is made, and after one that the provider has refused as too long.
 *
 * - A round is never cut: a message of the user, or a step with its calls and their results.
 * - What the model has not read stays as it is, if it fits. Else earlier messages that were never answered, or the results of the last
 *   step, are summed up, too.
 * - Only what fits into a request is summed up at once; of more, several summaries are made, each of the one before.
 * - If no summary can be had and the request fits into the window all the same, the run goes on, with an `error` event.
 * - If the request cannot be made to fit, the run fails with `context_overflow`, and says what is too large. The next message goes on.
 *
 * @throws TypeError, RangeError
 */
export function compaction(options: CompactionOptions = {}): History {
  checkCompaction(options);
  /** The signals of the runs in which no summary could be had. */
  const failed = new WeakSet<AbortSignal>();
  return { makeRoom: (next) => makeRoom(options, next, failed) };
}

async function makeRoom(
  options: CompactionOptions,
  next: NextRequest,
  failed: WeakSet<AbortSignal>,
): Promise<RoomMade> {
  const isRefused = next.refusal !== undefined;
  if (isRefused && !isContextTooLong(next.refusal)) return "same";
  const known = smallest(options.window ?? next.contextWindow, rememberedWindow(next.log, next.model));
  const told = isRefused ? windowAfterRefusal(next.refusal, next.tokens) : undefined;
  const window = smallest(known, told);
  if (window === undefined) return "same";
  const learned = told !== undefined && window === told ? { tokens: told, model: next.model } : undefined;
  if (next.refusals > mostRefusals) return overflow(window, next, true);
  return compact(settingsFor(options, window), next, failed, learned);
}

/** How often the request of a step is made smaller after the provider has refused it. */
const mostRefusals = 4;

async function compact(
  settings: CompactionSettings,
  next: NextRequest,
  failed: WeakSet<AbortSignal>,
  learned: LearnedWindow | undefined,
): Promise<RoomMade> {
  const isRefused = next.refusal !== undefined;
  const { window, at } = settings;
  const room = window - (next.maxOutputTokens ?? 0);
  const limit = Math.min(at * window, room);
  if (!isRefused && next.tokens <= limit) return "same";
  let request = next;
  for (;;) {
    const isSmaller = request !== next;
    const mustShrink = (isRefused && !isSmaller) || request.tokens > room;
    const plan = bestPlan(settings, request, isRefused ? Math.min(limit, request.tokens / 2) : limit, mustShrink, room);
    if (!plan || (!mustShrink && (request.tokens <= limit || isPoor(plan, settings) || failed.has(next.signal)))) break;
    try {
      const written = await writeSummary(settings, request, plan);
      if (!written) return isSmaller ? "smaller" : "same";
      const summary = { upTo: plan.upTo, text: written.text, ...(learned && { window: learned }) };
      request = await request.summarize(summary, written.used);
    } catch (error) {
      if (mustShrink || !isOfProvider(error)) throw error;
      failed.add(next.signal);
      await request.report("compaction_failed", `The conversation could not be summed up: ${error.message}`);
      break;
    }
  }
  const isSmaller = request !== next;
  if (request.tokens > room || (isRefused && !isSmaller)) return overflow(window, request, isRefused);
  return isSmaller ? "smaller" : "same";
}

/** The plan that leaves the most as it is, of those with which the request can fit. */
function bestPlan(
  settings: CompactionSettings,
  request: NextRequest,
  limit: number,
  mustShrink: boolean,
  room: number,
): CompactionPlan | undefined {
  if (!mustShrink) return planOf(settings, request, limit);
  for (const kept of ["unread", "message", "nothing"] satisfies Kept[]) {
    const plan = planOf(settings, request, limit, kept);
    if (plan && request.fixedTokens + plan.lastRound <= room) return plan;
  }
  return undefined;
}

/** Whether a summary would cost more than it saves. */
function isPoor({ tokens }: CompactionPlan, { summaryTokens }: CompactionSettings): boolean {
  return tokens < 2 * summaryTokens;
}

function isOfProvider(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "provider";
}

function smallest(...sizes: (number | undefined)[]): number | undefined {
  const known = sizes.filter((size) => size !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

function checkCompaction(options: CompactionOptions): void {
  checkOptions<CompactionOptions>("compaction", options, {
    window: whole(1000, Number.MAX_SAFE_INTEGER),
    at: { ...above(0), wanted: "a share above 0, at most 1", isInRange: (at) => Number(at) > 0 && Number(at) <= 1 },
    keep: whole(0, Number.MAX_SAFE_INTEGER),
    summaryTokens: whole(64, Number.MAX_SAFE_INTEGER),
    provider: having("a provider", "stream"),
    price: object,
    instructions: text,
  });
  const { window, summaryTokens } = options;
  if (window !== undefined && summaryTokens !== undefined && summaryTokens > window / 4) {
    throw new RangeError(
      `compaction: \`summaryTokens\` is ${summaryTokens}; give at most a quarter of the window (${window}).`,
    );
  }
}
