import { costOf, type Price, type Provider, ProviderError, priceOf, zeroUsage } from "@cogency/provider";
import type { AgentOptions } from "./agent-options.ts";
import type { Driver, RequestSettings } from "./drivers/driver.ts";
import { protocolDriver } from "./drivers/protocol-driver.ts";

/** A model that a run asks, and how. */
export interface Model {
  readonly provider: Provider;
  readonly driver: Driver;
  /** Opens the session that a run asks through; absent in mode `replay`. */
  readonly connect: Provider["connect"] | undefined;
  readonly request: RequestSettings;
  readonly price: Price | undefined;
}

/**
 * The model that the options name, and those that take its place when it is down. Settings that name a model of the first provider
 * do not hold for the others.
 *
 * @throws ProviderError `unsupported` for mode `"resume"` where there are no sessions; RangeError for an invalid price
 */
export function modelsOf(options: AgentOptions): [Model, ...Model[]] {
  const { request = {}, provider, fallback = [] } = options;
  const { model: _, options: __, ...others } = request;
  return [modelOf(options, provider, request), ...fallback.map((next) => modelOf(options, next, others))];
}

function modelOf(options: AgentOptions, provider: Provider, request: RequestSettings): Model {
  const { driver: given = protocolDriver(), prices = {} } = options;
  const driver = typeof given === "function" ? given(provider) : given;
  const price = priceOf(prices, request.model ?? provider.model);
  // Throws now for an invalid price, not in the middle of a run.
  if (price) costOf(zeroUsage, price);
  return { provider, driver, connect: connectOf(provider, driver, options.mode), request, price };
}

function connectOf(provider: Provider, driver: Driver, mode: AgentOptions["mode"] = "auto"): Provider["connect"] {
  const connect = driver.usesSessions === false ? undefined : provider.connect?.bind(provider);
  if (mode === "resume" && !connect) {
    throw new ProviderError(
      "unsupported",
      provider.connect
        ? `The driver ${driver.name} cannot go through a session, which takes text alone. Use mode "replay".`
        : `The provider ${provider.name} keeps no sessions: mode "resume" needs its \`connect\`. Use "replay".`,
    );
  }
  return mode === "resume" || (mode === "auto" && provider.capabilities.session) ? connect : undefined;
}
