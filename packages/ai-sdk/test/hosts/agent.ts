import { createAgent, defineTool } from "@cogency/agent";
import type { Provider } from "@cogency/provider";
import { type Authenticate, anonymousUser } from "@cogency/server";
import { memoryStore } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";

const refund = defineTool({
  name: "refund",
  description: "Refunds an order.",
  input: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
  approval: "ask",
  execute: ({ order }) => `refunded ${order}`,
});

/** Asks for a refund, and tells when it is done. */
const provider: Provider = {
  name: "refunding",
  model: "refunding-1",
  capabilities: { tools: false, session: false, reasoning: false, format: false },
  async *stream({ messages }) {
    const isDone = JSON.stringify(messages.at(-1)).includes("<results>");
    const call = '<execute>[{"name":"refund","args":{"order":"A1"}}]</execute>';
    yield { type: "text", text: isDone ? "It is refunded.<end>" : call };
    yield { type: "finish", reason: "stop" };
  },
};

export const store = memoryStore();
export const agent = createAgent({
  provider,
  tools: [refund],
  store,
  keyRing: createKeyRing(["a secret of at least 32 bytes, kept elsewhere"]),
});
export const authenticate: Authenticate = () => ({ id: anonymousUser });
