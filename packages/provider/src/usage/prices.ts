import type { Usage } from "@cogency/protocol";

/** What a model costs: money, in whatever currency, per million tokens. */
export interface Price {
  input: number;
  /** Reasoning included. */
  output: number;
  /** Input that the server read from its cache; the price of `input` by default, which is the most it can be. */
  cacheRead?: number | undefined;
  /** Input that the server wrote to its cache; the price of `input` by default. Some servers ask more for it. */
  cacheWrite?: number | undefined;
}

/** By model, in the words of the server: `gpt-5.5`, `claude-opus-5-20260101`. */
export type Prices = Readonly<Record<string, Price>>;

/**
 * The price of a model: that of its very name; else that of the model which it is a snapshot of, as `gpt-5.5-2026-04-24`,
 * `gpt-5.5@20260424` and `gpt-5.5-latest` are of `gpt-5.5`. Undefined if neither is there: `gpt-5.5-mini` is another
 * model than `gpt-5.5`, with another price.
 */
export function priceOf(prices: Prices, model: string): Price | undefined {
  const name = [model, model.replace(snapshot, "")].find((name) => Object.hasOwn(prices, name));
  return name === undefined ? undefined : prices[name];
}

/** A date, a number of three digits or more such as `001` and `0613`, or `latest`. */
const snapshot = /[-@](\d{4}-\d{2}-\d{2}|\d{3,8}|latest)$/;

/**
 * What a request has cost, in the money of the price. It is an estimate where the usage is one.
 *
 * @throws RangeError if a price is no number, or less than 0
 */
export function costOf(usage: Usage, price: Price): number {
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  for (const [name, value] of Object.entries({ input, output, cacheRead, cacheWrite })) {
    if (value >= 0 && value < Number.POSITIVE_INFINITY) continue;
    throw new RangeError(`The price \`${name}\` is ${value}: it is money per million tokens, 0 or more.`);
  }
  const millionths =
    usage.input * input + usage.output * output + usage.cacheRead * cacheRead + usage.cacheWrite * cacheWrite;
  return millionths / 1_000_000;
}
