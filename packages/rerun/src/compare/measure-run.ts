import type { Usage } from "@cogency/protocol";
import { costOf, type Prices, priceOf, sumUsage, zeroUsage } from "@cogency/provider";
import type { StoredEvent } from "@cogency/storage";
import { stepsOf } from "./steps-of.ts";

/** What a run used and answered, by the events that it left. */
export interface RunMeasures {
  readonly steps: number;
  readonly usage: Usage;
  /** In the currency of the prices; absent if the price of a model is unknown. */
  readonly cost?: number;
  /** How long its steps took, with their calls, by the clock of its agent. */
  readonly seconds: number;
  /** The last text for the user; empty if there is none. */
  readonly text: string;
}

/**
 * Measures events of one run or of several.
 *
 * @param model asked where no record of a request says otherwise
 */
export function measureRun(
  events: readonly StoredEvent[],
  { model, prices = {} }: { model?: string | undefined; prices?: Prices | undefined } = {},
): RunMeasures {
  let usage: Usage = zeroUsage;
  let cost: number | undefined = 0;
  let seconds = 0;
  let asked = model;
  for (const event of events) {
    if (event.type !== "record") continue;
    if (event.kind === "request" && typeof event.data?.model === "string") asked = event.data.model;
    if (event.kind !== "usage" || !isUsage(event.data)) continue;
    const { duration, cost: own, ...used } = event.data;
    usage = sumUsage(usage, used);
    if (duration >= 0) seconds += duration;
    const price = asked === undefined ? undefined : priceOf(prices, asked);
    const spent = own ?? (price && costOf(used, price));
    cost = cost === undefined || spent === undefined ? undefined : cost + spent;
  }
  const { steps } = stepsOf(events);
  return { steps: steps.length, usage, ...(cost !== undefined && { cost }), seconds, text: lastText(events) };
}

/** A log from elsewhere may hold anything. */
function isUsage(data: unknown): data is Usage & { duration: number; cost?: number } {
  const { input, output, cacheRead, cacheWrite, reasoning } = (data ?? {}) as Partial<Usage>;
  return [input, output, cacheRead, cacheWrite, reasoning].every((count) => typeof count === "number" && count >= 0);
}

function lastText(events: readonly StoredEvent[]): string {
  const written = stepsOf(events).steps.map(({ start, end }) =>
    events
      .slice(start, end)
      .flatMap((event) => (event.type === "respond" ? [event.content] : []))
      .join("\n\n"),
  );
  return written.findLast((text) => text !== "") ?? "";
}
