import type { Agent } from "@cogency/agent";
import type { Key } from "@cogency/storage";
import { refusedContent } from "../body/refused-content.ts";
import { checkExists } from "../conversation/check-exists.ts";
import type { Limits } from "../limits/limits.ts";
import { Problem } from "../problem.ts";
import type { BridgeStore, PostedByBridge } from "./bridge.ts";

interface Mailing {
  key: Key;
  messages: readonly PostedByBridge[];
  from: string | undefined;
}

/**
 * Posts messages, in order.
 *
 * @param onPosted called after each
 * @throws Problem for a limit, and for a message that cannot be; what the store and the agent throw
 */
export async function postMessages(
  { agent, store, limits }: { agent: Pick<Agent, "send">; store: BridgeStore; limits: Limits },
  { key, messages, from }: Mailing,
  onPosted: () => void,
): Promise<void> {
  for (const { id } of messages) checkId(id);
  for (const { id, content } of messages) {
    if ("question" in content) await checkExists({ store, key });
    try {
      await limits.post({ id, content }, key, store, () => agent.send(key, content, { id, from }));
    } catch (error) {
      throw refusedContent(error, content);
    }
    onPosted();
  }
}

function checkId(id: string): void {
  if (/^[\x21-\x7e]{1,128}$/.test(id)) return;
  throw new Problem(
    "invalid_request",
    "The id of a message has 1 to 128 visible ASCII characters, and is unique in its conversation, such as a UUID.",
  );
}
