import type { ModelEvent, Provider } from "@cogency/provider";
import { createKeyRing, defineTool } from "@cogency/tools";
import { createAgent } from "../../src/index.ts";
import { block } from "../support/fixtures.ts";
import { type Mark, marked, marksUntil } from "../two-processes/kill-point.ts";
import { openStore } from "../two-processes/open-store.ts";

export const conversation = "c";
export const prompt = "Look three times.";

/** The agent that both processes have in common, on the store of an address. Its store passes marks. */
export async function openReader(address: string, mark: Mark = () => {}) {
  const store = marked(await openStore(address), mark);
  const look = defineTool({
    name: "look",
    description: "Looks.",
    input: { type: "object" },
    annotations: { readOnlyHint: true },
    execute: () => "nothing",
  });
  const keyRing = createKeyRing(["the ring that both processes have in common"]);
  return { store, agent: createAgent({ provider: model, tools: [look], store, keyRing, lease: { ttl: 300 } }) };
}

/** Looks three times after the prompt, so that notices are read between steps, and answers each turn that they begin. */
const model: Provider = {
  name: "reader",
  model: "reader-1",
  capabilities: { tools: false, session: false, reasoning: false, format: false },
  async *stream({ messages }): AsyncGenerator<ModelEvent> {
    const looks = JSON.stringify(messages).split("I look.").length - 1;
    yield { type: "text", text: looks < 3 ? `I look.${block(["look", {}])}` : "I see.<end>" };
    yield { type: "finish", reason: "stop" };
  },
};

// Arguments: the address of the store, where it is killed. Goes on with the conversation whenever it is due.
if (process.argv[1] === import.meta.filename) {
  // Ends when the process that has started it ends, however that does.
  process.stdin.once("close", () => process.exit()).resume();
  const [address = "", point = "null"] = process.argv.slice(2);
  const { store, agent } = await openReader(address, marksUntil(JSON.parse(point) ?? undefined));
  for await (const _ of store.watchWakes()) await agent.sweep();
}
