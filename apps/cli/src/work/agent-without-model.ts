import { type Agent, createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import { installationKeys } from "../place/installation-keys.ts";

/**
 * An agent that forks conversations and sends messages to them with the key of this installation, and has no model to run with. `scope`
 * is what its new conversations belong to.
 */
export async function agentWithoutModel(store: Store, scope?: string): Promise<Agent> {
  return createAgent({ provider: scripted([]), store, keyRing: await installationKeys(), scope });
}
