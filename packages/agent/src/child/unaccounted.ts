import type { LogEvent } from "@cogency/protocol";
import { askAgain } from "../log/ask-again.ts";
import { usedByLog } from "../loop/ledger.ts";
import type { RunContext } from "../run-context.ts";

/** Counts what agents have used that calls of this conversation have started, and whose end its log does not have. */
export async function findUnaccounted(
  { ledger, settings: { store, price }, user }: Pick<RunContext, "ledger" | "settings" | "user">,
  log: readonly LogEvent[],
): Promise<void> {
  const open = new Set<string>();
  for (const event of log) {
    if (event.type !== "record" || event.kind !== "child" || typeof event.data?.conversation !== "string") continue;
    if (event.data.used) open.delete(event.data.conversation);
    else open.add(event.data.conversation);
  }
  for (const conversation of open) {
    const events = await askAgain(() => store.load({ conversation, user }));
    ledger.find(conversation, usedByLog(events, price));
  }
}
