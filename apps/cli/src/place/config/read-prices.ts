import type { Prices } from "@cogency/provider";
import { UsageError } from "../../base/errors/usage-error.ts";
import { readJson } from "../../base/files/read-json.ts";
import type { FileLimits } from "../../base/files/read-regular-file.ts";
import { isObject } from "../../base/is-object.ts";

/**
 * Reads the prices of models from a JSON file: an object from model to `{ input, output, cacheRead, cacheWrite }`, in money
 * per million tokens.
 *
 * @throws UsageError if it cannot be read or holds something else
 */
export function readPrices(file: string, limits?: FileLimits): Prices {
  const prices = readJson("The prices", file, limits);
  const problem = pricesProblem(prices);
  if (problem === undefined) return prices as Prices;
  throw new UsageError(
    `The prices in ${file} cannot be used: ${problem}. Write {"<model>": {"input": 1.25, "output": 10}}, per million tokens.`,
  );
}

const fields = ["input", "output", "cacheRead", "cacheWrite"];

/** Says what is wrong with prices; undefined if nothing is. */
export function pricesProblem(prices: unknown): string | undefined {
  if (!isObject(prices)) return "they are no object";
  for (const [model, price] of Object.entries(prices)) {
    if (!isObject(price)) return `"${model}" has no object`;
    const unknown = Object.keys(price).find((field) => !fields.includes(field));
    if (unknown !== undefined) return `"${model}" has the unknown field "${unknown}"`;
    for (const field of fields) {
      const value = price[field];
      const isOptional = field.startsWith("cache");
      if (value === undefined && isOptional) continue;
      if (typeof value !== "number" || !(value >= 0 && value < Number.POSITIVE_INFINITY))
        return `"${model}" has no number of 0 or more as "${field}"`;
    }
  }
  return undefined;
}
