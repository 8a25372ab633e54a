import { appendFileSync } from "node:fs";
import { type Agent, createAgent } from "@cogency/agent";
import type { ModelEvent, ModelRequest, Provider } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import { createKeyRing, defineTool } from "@cogency/tools";

/** The conversation that an earlier version began: turns of 20 steps, with a charge each. */
export const key = { conversation: "long", user: "ada" };
export const steps = 20;
export const prompt = `Take ${steps} steps.`;

/** In this turn the earlier version was killed, after the charge of this step and before it was stored. */
export const turns = 84;
export const lastStep = 12;

/**
 * @param charges the file that gets a line for each charge
 * @param charged called after each charge, in the body of the tool
 */
export function talker(
  store: Store,
  charges: string,
  charged: (step: number) => void | Promise<void> = () => {},
): Agent {
  const charge = defineTool({
    name: "charge",
    description: "Charges for a step. Must not happen twice.",
    input: { type: "object", properties: { step: { type: "integer" } }, required: ["step"] },
    async execute({ step }) {
      appendFileSync(charges, `${step}\n`);
      await charged(Number(step));
      return "charged";
    },
  });
  const keyRing = createKeyRing(["a secret that all machines have in common"]);
  const budget = { steps: steps + 1, tokens: 1e9 };
  return createAgent({ provider: stepping, store, keyRing, tools: [charge], budget });
}

/** Takes a step a request, and counts them by the results since the last prompt. */
const stepping: Provider = {
  name: "stepping",
  model: "stepping",
  capabilities: { tools: false, session: false, reasoning: false, format: false },
  async *stream({ messages }: ModelRequest): AsyncGenerator<ModelEvent> {
    const texts = messages.map((message) => ("content" in message ? String(message.content) : ""));
    const begun = texts.findLastIndex((text) => text.startsWith(prompt));
    const taken = texts.slice(begun + 1).filter((text) => text.startsWith("<results>")).length;
    const call = `<execute>${JSON.stringify([{ name: "charge", args: { step: taken + 1 } }])}</execute>`;
    yield { type: "text", text: taken < steps ? `Step ${taken + 1}.${call}` : `Done after ${steps} steps.` };
    yield { type: "finish", reason: "stop" };
  },
};
