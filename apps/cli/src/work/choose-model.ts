import type { Driver } from "@cogency/agent/driver";
import { type Prices, type Provider, priceOf } from "@cogency/provider";
import { UsageError } from "../base/errors/usage-error.ts";
import { note } from "../base/terminal/note.ts";
import type { Options } from "../place/config/option-table.ts";
import { readPrices } from "../place/config/read-prices.ts";
import { chooseDriver, type DriverChoice } from "./choose-driver.ts";
import { chooseProvider, type ProviderChoice } from "./provider/choose-provider.ts";
import { type ServedWindow, servedWindow } from "./provider/served-window.ts";

/** Which model is asked, how, and what it may cost. */
export type ModelChoice = ProviderChoice & DriverChoice & Options<"prices" | "maxCost">;

/** The model, how it is asked, and what it costs. */
export interface ChosenModel {
  provider: Provider;
  driver: DriverOf;
  prices: Prices | undefined;
  /** The window of a model on this machine. */
  served?: ServedWindow | undefined;
}

type DriverOf = Driver | ((provider: Provider) => Driver);

/** @throws UsageError, also for a limit of the cost without a price of the model */
export async function chooseModel(options: ModelChoice): Promise<ChosenModel> {
  const driver = await chooseDriver(options);
  const provider = await chooseProvider(options);
  const prices = options.prices === undefined ? undefined : pricesFor(provider, options.prices);
  if (options.maxCost !== undefined && !(prices && priceOf(prices, provider.model)))
    throw new UsageError("--max-cost needs the price of the model: give a list with it, --prices <file>.");
  const address = options.baseUrl ?? (options.provider === "openai" ? process.env.OPENAI_BASE_URL : undefined);
  return { provider, driver, prices, served: servedWindow(options.provider, address, provider.model) };
}

/** Says why the cost will be missing if the price list lacks the model. */
function pricesFor({ model }: Provider, given: string | Prices): Prices {
  const prices = typeof given === "string" ? readPrices(given) : given;
  if (!priceOf(prices, model)) {
    const place = typeof given === "string" ? given : "the configuration";
    note(`The cost is unknown: ${place} has no price for the model "${model}".`);
  }
  return prices;
}
