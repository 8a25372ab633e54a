import type { LogEvent } from "@cogency/protocol";
import type { Store } from "@cogency/storage";

/**
 * Reads of a log what a tree of forks shows: what a person said, the calls, and the records. Each other event, which has most of the
 * bytes, is an empty answer here, so that places stay what they are. The end may be missing.
 */
export async function logOutline(store: Store, conversation: string): Promise<readonly LogEvent[]> {
  const shown = await store.load({ conversation }, { types: ["user", "call", "record"] });
  const outline: LogEvent[] = Array.from({ length: shown.at(-1)?.seq ?? 0 }, () => left);
  for (const event of shown) outline[event.seq - 1] = event;
  // Whether a summary counts that ends within a turn depends on what was left out.
  const isPlain = shown.every(
    (event) => event.type !== "record" || event.kind !== "summary" || endsAtTurn(event, outline),
  );
  return isPlain ? outline : store.load({ conversation });
}

const left: LogEvent = { type: "respond", content: "", timestamp: 0 };

function endsAtTurn(summary: LogEvent, outline: readonly LogEvent[]): boolean {
  const { upTo } = ((summary as { data?: unknown }).data ?? {}) as { upTo?: unknown };
  return upTo === 0 || (typeof upTo === "number" && outline[upTo]?.type === "user");
}
