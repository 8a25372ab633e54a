import { checkOption, checkOptions, having, type OptionTable, required, text } from "@cogency/protocol/options";
import type { Store, WakeQueue } from "@cogency/storage";
import type { BatchObservableCallback, Meter } from "@opentelemetry/api";
import { globalMeter, ofMeter } from "./library.ts";

export interface StoreMeasureOptions {
  /** Makes the instruments. Defaults to a meter of the global provider. */
  meter?: Meter | undefined;
  /** Whose queue is measured. Defaults to that of the conversations without a scope. */
  scope?: string | undefined;
}

/**
 * Measures what a scope has to do. The store is asked whenever the metrics are collected, once at a time. All processes see the same
 * numbers, so one of them is enough.
 *
 * @returns ends it
 */
export function measureStore(store: Pick<Store, "queue">, options: StoreMeasureOptions = {}): () => void {
  checkOption("measureStore", "store", store, required(having("a store", "queue")));
  checkOptions("measureStore", options, { meter: ofMeter, scope: text } satisfies OptionTable<StoreMeasureOptions>);
  const { meter = globalMeter(), scope } = options;
  const due = meter.createObservableGauge("cogency.queue.due", {
    description: "Conversations that a worker could claim",
    unit: "{conversation}",
  });
  const oldest = meter.createObservableGauge("cogency.queue.oldest", {
    description: "How long the oldest of them is due",
    unit: "s",
  });
  const claimed = meter.createObservableGauge("cogency.queue.claimed", {
    description: "Conversations that workers look after, at most 1,000",
    unit: "{conversation}",
  });
  const parked = meter.createObservableGauge("cogency.queue.parked", {
    description: "Conversations that wait for a person to release them",
    unit: "{conversation}",
  });
  const all = [due, oldest, claimed, parked];
  const attributes = scope === undefined ? {} : { "cogency.scope": scope };
  let asking: Promise<WakeQueue> | undefined;
  const observe: BatchObservableCallback = async (observer) => {
    asking ??= store.queue({ scope }).finally(() => {
      asking = undefined;
    });
    const queue = await asking;
    observer.observe(due, queue.due, attributes);
    observer.observe(oldest, secondsDue(queue), attributes);
    observer.observe(claimed, queue.claims.length, attributes);
    observer.observe(parked, queue.parked, attributes);
  };
  meter.addBatchObservableCallback(observe, all);
  return () => meter.removeBatchObservableCallback(observe, all);
}

/** 0 if nothing is due. */
function secondsDue({ now, dueSince = now }: WakeQueue): number {
  return Math.max(0, now - dueSince) / 1000;
}
