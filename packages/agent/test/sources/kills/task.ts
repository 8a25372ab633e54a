import { appendFileSync } from "node:fs";
import type { ModelEvent, Provider } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import { createKeyRing, defineTool, type Tool } from "@cogency/tools";
import { createAgent } from "../../../src/index.ts";
import { block } from "../../support/fixtures.ts";
import { type Mark, marked } from "../../two-processes/kill-point.ts";

export const conversation = "c";

/** What the source has: the tools, other ones of their names, or none. */
export type Offer = "there" | "changed" | "gone";

const hints = { pay: {}, note: { idempotentHint: true }, look: { readOnlyHint: true } };
type Name = keyof typeof hints;
const names = Object.keys(hints) as Name[];

/** The tools that a second run of their calls leaves as it is. */
export const repeatable: readonly string[] = ["note", "look"];

/** An agent whose model orders three things, each by a tool of a source, and then answers. The lines of `effects` name the tools that ran. */
export function agentOf(store: Store, effects: string, offer: Offer, mark: Mark) {
  const order = `I order.${block(...names.map((name): [string, object] => [name, { item: name }]))}`;
  const provider: Provider = {
    name: "buyer",
    model: "buyer-1",
    capabilities: { tools: false, session: false, reasoning: false, format: false },
    async *stream({ messages }): AsyncGenerator<ModelEvent> {
      mark("before the answer of the model");
      const hasOrdered = JSON.stringify(messages).includes("I order.");
      yield { type: "text", text: hasOrdered ? "It is ordered.<end>" : order };
      mark("within the answer of the model");
      yield { type: "finish", reason: "stop" };
    },
  };
  const tools = offer === "gone" ? [] : names.map((name) => toolOf(name, offer, effects, mark));
  return createAgent({
    provider,
    sources: [{ name: "shop", tools: () => tools, ready: async () => {} }],
    store: marked(store, mark),
    keyRing: createKeyRing(["a ring that all processes have in common"]),
    lease: { isGone: () => true },
  });
}

function toolOf(name: Name, offer: Offer, effects: string, mark: Mark): Tool {
  return defineTool({
    name,
    description: offer === "there" ? "Takes effect." : "Takes another effect.",
    input: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
    annotations: hints[name],
    definedBy: "https://shop.example.com/mcp",
    execute() {
      mark(`before the effect of ${name}`);
      appendFileSync(effects, `${name}\n`);
      mark(`after the effect of ${name}`);
      return `${name} is done`;
    },
  });
}
