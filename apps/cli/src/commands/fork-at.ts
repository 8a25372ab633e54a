import type { Store } from "@cogency/storage";
import { UsageError } from "../base/errors/usage-error.ts";
import { scopeOf } from "../base/scope-of.ts";
import { scopeIn } from "../place/store/find-conversation.ts";
import { agentWithoutModel } from "../work/agent-without-model.ts";

/**
 * Begins a conversation with the first events of another one, in the same scope.
 *
 * @returns its name
 * @throws UsageError for a number of events at which no conversation can go on
 */
export async function forkAt(store: Store, conversation: string, at: number): Promise<string> {
  const agent = await agentWithoutModel(store, (await scopeIn(conversation, store)) ?? scopeOf("."));
  try {
    return await agent.fork(conversation, { at });
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
