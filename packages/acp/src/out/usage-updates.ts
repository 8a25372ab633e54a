import type { SessionUpdate } from "@agentclientprotocol/sdk";

/** What the context holds, and what the session has cost. */
export class UsageUpdates {
  readonly #window: () => number | undefined;
  readonly #currency: string | undefined;
  #cost = 0;

  /**
   * @param window the tokens that the model takes now; undefined if that is not known: then nothing is told
   * @param currency that of the costs; without it they are not told
   */
  constructor(window: () => number | undefined, currency: string | undefined) {
    this.#window = window;
    this.#currency = currency;
  }

  /** Reads the data of a `usage` record. */
  read(data: Readonly<Record<string, unknown>>): SessionUpdate[] {
    this.#cost += count(data.cost);
    const size = this.#window();
    if (size === undefined) return [];
    const used = ["input", "cacheRead", "cacheWrite", "output"].reduce((sum, field) => sum + count(data[field]), 0);
    const currency = this.#currency;
    const cost = currency !== undefined && this.#cost > 0 && { cost: { amount: this.#cost, currency } };
    return [{ sessionUpdate: "usage_update", used: Math.round(used), size: Math.round(size), ...cost }];
  }
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
