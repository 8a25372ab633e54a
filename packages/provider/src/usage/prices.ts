import type { Usage } from "@cogency/protocol";

/** The price of a model: money per million tokens, in any currency. */
export interface Price {
  input: number;
  /** Reasoning included. */
  output: number;
  /** Input that the server read from its cache. Defaults to the price of `input`, which it never exceeds. */
  cacheRead?: number | undefined;
  /** Input that the server wrote to its cache. Defaults to the price of `input`; some servers charge more. */
  cacheWrite?: number | undefined;
}

/** By the name that the server gives the model: `gpt-5.5`, `claude-opus-5-20260101`. */
export type Prices = Readonly<Record<string, Price>>;

/**
 * The price listed under the model's exact name, else under the name without its snapshot: `gpt-5.5-2026-04-24`,
 * `gpt-5.5@20260424` and `gpt-5.5-latest` are snapshots of `gpt-5.5`. Undefined if neither is listed. `gpt-5.5-mini` is
 * not a snapshot: it is another model with another price.
 */
export function priceOf(prices: Prices, model: string): Price | undefined {
  const name = [model, model.replace(snapshot, "")].find((name) => Object.hasOwn(prices, name));
  return name === undefined ? undefined : prices[name];
}

/** A date, a number of three digits or more such as `001` and `0613`, or `latest`. */
const snapshot = /[-@](\d{4}-\d{2}-\d{2}|\d{3,8}|latest)$/;

/**
 * The cost of a request, in the currency of the price. It is an estimate if the usage is `estimated`.
 *
 * @throws RangeError unless every price is a number ≥ 0
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
