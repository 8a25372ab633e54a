import { type Agent, createAgent } from "@cogency/agent";
import type { Provider } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import { createKeyRing, defineTool } from "@cogency/tools";
import { answerOf } from "../test/fleet/plan.ts";

/**
 * An agent that takes as many steps as it is asked for: a request to a model in this process, and a call of a tool that does nothing. Then
 * it asks once more, and is done.
 *
 * @param stepped called in each call
 */
export function steppingAgent(store: Store, stepped: () => void): Agent {
  const charge = defineTool({
    name: "charge",
    description: "Charges for a step.",
    input: { type: "object", properties: { step: { type: "integer" } }, required: ["step"] },
    execute() {
      stepped();
      return "charged";
    },
  });
  const keyRing = createKeyRing(["a secret that all workers of the benchmark have in common"]);
  return createAgent({ provider: model, store, keyRing, tools: [charge] });
}

const model: Provider = {
  name: "instant",
  model: "instant",
  capabilities: { tools: false, session: false, reasoning: false, format: false },
  async *stream({ messages }) {
    yield {
      type: "text",
      text: answerOf(messages.map((message) => ("content" in message ? String(message.content) : ""))),
    };
    yield { type: "finish", reason: "stop" };
  },
};
