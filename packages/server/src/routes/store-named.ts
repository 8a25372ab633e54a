import { type NameMessage, storeName } from "@cogency/agent/history";
import type { AskedOfOne } from "../route.ts";

/**
 * Stores the name of a conversation, or of a point of it.
 *
 * @returns the status of the answer: 202 where a run is at work, which stores it before its next request, or at its end
 * @throws Problem `too_many_messages`, and what the store throws
 */
export async function storeNamed(
  { agent, store, key, sender, limits }: AskedOfOne,
  name: NameMessage,
): Promise<200 | 202> {
  const done = await storeName(store, key, name, (content) => {
    const message = { id: crypto.randomUUID(), content };
    return limits.post(message, key, store, () => agent.send(key, content, { id: message.id, from: sender.from }));
  });
  return done === "stored" ? 200 : 202;
}
