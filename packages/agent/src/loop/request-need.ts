import type { Usage } from "@cogency/protocol";
import { costOf, estimateUsage, type ModelRequest, type Price, zeroUsage } from "@cogency/provider";
import { sound } from "../meter.ts";
import type { RunContext } from "../run-context.ts";
import type { Need } from "./ledger.ts";

type Asked = Pick<RunContext, "settings" | "size" | "ledger" | "meter">;

/** Tokens of an answer for which `maxOutputTokens` is not set. */
const usualOutput = 4096;

/**
 * What a request may use: its input, of which only new tokens count as tokens, while none costs less because it comes from a cache,
 * and the longest answer.
 *
 * @param lastInput the tokens of input of the request before it in the step, if it is not the first one
 */
export function needOf(context: Asked, request: ModelRequest, lastInput?: number): Need {
  const input = context.ledger.isMeasuring ? context.size.of(request) : 0;
  const added = lastInput === undefined ? context.meter.newIn(input) : Math.max(0, input - lastInput);
  return needed(context.meter.price, input, request.maxOutputTokens, added);
}

/** What a request may use that is no step of the run. */
export function needOfOther(request: ModelRequest, price: Price | undefined): Need {
  return needed(price, estimateUsage(request, "").input, request.maxOutputTokens);
}

/** What any request may use. */
export function leastNeed(context: Asked): Need {
  return needed(context.meter.price, 0, context.settings.request.maxOutputTokens);
}

/**
 * What the requests of a step have used so far.
 *
 * @param inputs the tokens of input of each of them
 */
export function usedBy({ meter }: Pick<RunContext, "meter">, reported: Usage, inputs: readonly number[]): Need {
  const usage = sound(reported);
  const { price } = meter;
  let added = meter.newIn(inputs[0] ?? 0);
  for (const [index, input] of inputs.slice(1).entries()) added += Math.max(0, input - (inputs[index] ?? 0));
  return { tokens: added + usage.output, cost: price && costOf(usage, price) };
}

function needed(price: Price | undefined, input: number, output = usualOutput, added = input): Need {
  // Some servers charge more for input that they put into a cache.
  const dearest = price && { ...price, input: Math.max(price.input, price.cacheWrite ?? 0) };
  return { tokens: added + output, cost: dearest && costOf({ ...zeroUsage, input, output }, dearest) };
}
