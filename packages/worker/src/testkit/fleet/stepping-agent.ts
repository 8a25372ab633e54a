import { type Agent, type AgentOptions, createAgent } from "@cogency/agent";
import type { ModelEvent, Provider } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import { createKeyRing, defineTool } from "@cogency/tools";
import type { Ledger } from "./ledger.ts";

export interface SteppingOptions extends Pick<AgentOptions, "budget"> {
  store: Store;
  ledger: Ledger;
  /** What the tool waits for after it has written its line. Defaults to nothing. */
  pause?: ((conversation: string, step: number) => Promise<unknown>) | undefined;
  /** Milliseconds of a lease. Defaults to 30,000. */
  ttl?: number | undefined;
  /** Defaults to the model of the kit. */
  provider?: Provider | undefined;
}

/** Steps of a conversation: calls of the tool, one a request. */
export const stepsEach = 3;

/** The text that ends a conversation. */
export const lastWord = "Done.";

/** An agent that takes three steps for each prompt and then says "Done.". Its tool may not run twice. */
export function steppingAgent({ store, ledger, pause, ttl, provider, budget }: SteppingOptions): Agent {
  const tool = defineTool({
    name: "step",
    description: "Takes a step.",
    input: { type: "object", properties: { step: { type: "number" } }, required: ["step"] },
    async execute(args, { conversation }) {
      const { step } = args as { step: number };
      ledger.write(`${conversation} ${step}`);
      await pause?.(conversation, step);
      return `took step ${step}`;
    },
  });
  return createAgent({
    provider: provider ?? steppingModel(),
    store,
    keyRing: createKeyRing(["the secret of all processes of the kit"]),
    tools: [tool],
    lease: { ttl },
    budget,
  });
}

/** Decides by what it reads, so that a request which is made again gets the same answer. */
export function steppingModel(): Provider & { readonly requests: number } {
  let requests = 0;
  return {
    name: "stepping",
    model: "stepping",
    capabilities: { tools: false, session: false, reasoning: false, format: false },
    get requests() {
      return requests;
    },
    async *stream({ messages }): AsyncGenerator<ModelEvent, void, undefined> {
      requests++;
      const step = messages.filter((message) => JSON.stringify(message).includes("<results>")).length + 1;
      const call = `<execute>${JSON.stringify([{ name: "step", args: { step } }])}</execute>`;
      yield { type: "text", text: step > stepsEach ? lastWord : call };
      yield { type: "finish", reason: "stop" };
    },
  };
}
