import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import { UsageError } from "../../errors/usage-error.ts";
import { installationKeys } from "../../setup/installation-keys.ts";
import { scopeOf } from "../../setup/scope-of.ts";

/**
 * Begins a conversation with the first events of another one, in the same scope.
 *
 * @returns its name
 * @throws UsageError for a number of events at which no conversation can go on
 */
export async function forkAt(store: Store, conversation: string, at: number): Promise<string> {
  const [first] = await store.load({ conversation }, { types: ["record"], limit: 1 });
  const origin = first?.type === "record" && first.kind === "origin" ? first.data : undefined;
  const scope = typeof origin?.scope === "string" ? origin.scope : scopeOf(".");
  // A fork asks no model.
  const agent = createAgent({ provider: scripted([]), store, keyRing: await installationKeys(), scope });
  try {
    return await agent.fork(conversation, { at });
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
