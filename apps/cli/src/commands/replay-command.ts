import { setTimeout } from "node:timers/promises";
import type { StoredEvent } from "@cogency/storage";
import { put } from "../base/terminal/output.ts";
import { approvalReader } from "../person/show/approvals-of.ts";
import { TranscriptWriter } from "../person/show/transcript.ts";
import { existingKeys } from "../place/installation-keys.ts";
import { findConversation } from "../place/store/find-conversation.ts";
import { readHistory } from "../place/store/with-history.ts";

export interface ReplayCommandOptions {
  store: string;
  /** How many times as fast as it happened; 0: at once. */
  speed: number;
  /** The longest pause, in seconds. */
  maxPause: number;
  thinking?: true;
}

/**
 * `cogency replay`: prints a conversation at the pace at which it was stored; at once where no terminal shows it.
 *
 * @throws UsageError if there is no such conversation
 */
export function replayCommand(wanted: string, options: ReplayCommandOptions): Promise<void> {
  const { store: place, thinking = false } = options;
  return readHistory({ store: place }, async (store) => {
    const key = { conversation: await findConversation(wanted, store, place) };
    const events = await store.load(key);
    const writer = new TranscriptWriter({ thinking, stream: process.stdout });
    const approvalOf = approvalReader(key, await existingKeys());
    const isPaced = process.stdout.isTTY === true && options.speed > 0;
    let before: StoredEvent | undefined;
    for (const event of events) {
      if (isPaced) await setTimeout(pauseBetween(before, event, options) * 1000);
      before = event;
      await put(writer.event(event, await approvalOf(event)));
    }
    await put(writer.owed(events));
  });
}

/** Seconds between two events of a replay. Clocks may go backwards between two runs. */
export function pauseBetween(
  before: StoredEvent | undefined,
  event: StoredEvent,
  { speed, maxPause }: Pick<ReplayCommandOptions, "speed" | "maxPause">,
): number {
  const passed = before === undefined ? 0 : event.timestamp - before.timestamp;
  return Math.min(maxPause, Math.max(0, passed / speed));
}
