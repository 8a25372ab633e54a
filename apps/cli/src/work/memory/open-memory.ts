import { setTimeout } from "node:timers/promises";
import type { Learned } from "@cogency/memory";
import type { Provider } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import { note, noteOnce } from "../../base/terminal/note.ts";
import { counted } from "../../base/terminal/text.ts";
import type { Options } from "../../place/config/option-table.ts";
import type { OpenPart } from "../open-part.ts";

/** Whether the agent remembers the person, which model chooses what, and whether it is told. */
export type MemoryChoice = Options<"memory" | "memoryModel" | "quiet">;

/** The memory of the person. */
export interface OpenMemory extends OpenPart {
  /**
   * Gives what is being learned some seconds to end, before the store is closed. What has not ended is learned after a later run. Never
   * rejects.
   */
  leave(signal?: AbortSignal): Promise<void>;
}

/** Milliseconds that a command waits at its end for what is being learned. */
const longestWait = 4000;

/** What the person said in earlier conversations, if they want that. Off unless they say so. */
export async function openMemory({
  options: { memory: use, memoryModel, quiet },
  store,
  provider,
}: {
  options: MemoryChoice;
  store: Store;
  provider: Provider;
}): Promise<OpenMemory> {
  if (use !== "on") return { capabilities: [], leave: async () => {} };
  const { memory } = await import("@cogency/memory");
  const onLearned = quiet ? undefined : (learned: Learned) => note(toldOf(learned));
  const remembered = memory({ store, provider, model: memoryModel, warn: noteOnce, onLearned });
  return {
    capabilities: [remembered.capability],
    async leave(signal) {
      const timer = new AbortController();
      const waits = [timer.signal, ...(signal ? [signal] : [])];
      const over = setTimeout(longestWait, undefined, { signal: AbortSignal.any(waits) }).catch(() => {});
      await Promise.race([remembered.settled(), over]);
      timer.abort();
      await remembered.close();
    },
    close: () => remembered.close(),
  };
}

function toldOf({ messages, memories, usage }: Learned): string {
  const read = `Read ${counted(messages, "message")} of yours for what to remember`;
  const kept = memories.length > 0 ? `kept ${memories.length}, see cogency memory show` : "kept nothing";
  return `${read}: ${kept}. This took ${counted(usage.input + usage.output, "token")}.`;
}
