import type { Usage } from "@cogency/protocol";
import { costOf, estimateUsage, type ModelRequest, type Price, zeroUsage } from "@cogency/provider";
import { sound, tokensOf } from "../meter.ts";
import type { RunContext } from "../run-context.ts";
import type { Need } from "./ledger.ts";

type Asked = Pick<RunContext, "settings" | "size" | "ledger" | "meter">;

/** Tokens of an answer for which `maxOutputTokens` is not set. */
const usualOutput = 4096;

/** What a request may use: its input, none of it from a cache, and the longest answer. */
export function needOf(context: Asked, request: ModelRequest): Need {
  const input = context.ledger.isMeasuring ? context.size.of(request) : 0;
  return needed(context.meter.price, input, request.maxOutputTokens);
}

/** What a request may use that is no step of the run. */
export function needOfOther(request: ModelRequest, price: Price | undefined): Need {
  return needed(price, estimateUsage(request, "").input, request.maxOutputTokens);
}

/** What any request may use. */
export function leastNeed(context: Asked): Need {
  return needed(context.meter.price, 0, context.settings.request.maxOutputTokens);
}

/** What a request has used. */
export function usedBy({ meter: { price } }: Pick<RunContext, "meter">, reported: Usage): Need {
  const usage = sound(reported);
  return { tokens: tokensOf(usage), cost: price && costOf(usage, price) };
}

function needed(price: Price | undefined, input: number, output = usualOutput): Need {
  // Some servers charge more for input that they put into a cache.
  const dearest = price && { ...price, input: Math.max(price.input, price.cacheWrite ?? 0) };
  return { tokens: input + output, cost: dearest && costOf({ ...zeroUsage, input, output }, dearest) };
}
