import type { History } from "@cogency/agent";
import { compaction } from "@cogency/agent/history";
import type { Options } from "../place/config/option-table.ts";
import type { ChosenModel } from "./choose-model.ts";

/** Whether a conversation is summed up, and what the model takes. */
export interface CompactionChoice extends Options<"contextWindow"> {
  /** Defaults to true. */
  compact?: boolean;
}

/** The share of the window from which on the earlier part of a conversation is summed up. */
export const compactsAt = 0.8;

/** Tokens of a request below which no window is nearly full: local servers give a model 4,096 at least. */
const few = compactsAt * 4096;

/**
 * Sums up the earlier part of a conversation before it fills the model's window, where that is known: from the option, the provider, a
 * server on this machine, or a refusal of the conversation. Undefined where the options turn it off.
 */
export function compactionFor(
  { compact = true, contextWindow }: CompactionChoice,
  { served }: Pick<ChosenModel, "served">,
): History | undefined {
  if (!compact) return undefined;
  const known = compaction({ window: contextWindow, at: compactsAt });
  if (contextWindow !== undefined || served === undefined) return known;
  let asked: History | undefined;
  return {
    async makeRoom(next) {
      if (next.refusal === undefined && next.tokens < few) return "same";
      asked ??= compaction({ window: await served.ask(), at: compactsAt });
      return (await asked.makeRoom?.(next)) ?? "same";
    },
  };
}

/** The window of a model as far as it is known by now. */
export function knownWindow(
  { contextWindow }: CompactionChoice,
  model: Pick<ChosenModel, "served" | "provider"> | undefined,
): number | undefined {
  return contextWindow ?? model?.provider.capabilities.contextWindow ?? model?.served?.known;
}
