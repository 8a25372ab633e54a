import { createAgent, defineTool } from "@cogency/agent";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore, type StoredEvent } from "@cogency/storage";
import type { CompareOptions } from "../../src/compare/compare-options.ts";

/** A tool that says in a list where it ran. */
const input = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;
export const weather = (ran: string[] = [], approval?: "ask") =>
  defineTool({
    name: "weather",
    description: "The weather of a city.",
    input,
    ...(approval && { approval }),
    execute: ({ city }) => {
      ran.push(city as string);
      return `rain in ${city}`;
    },
  });

export const call = (city: string) => `<execute>[{"name":"weather","args":{"city":"${city}"}}]</execute>`;
export const usage = (input: number, output: number, cacheRead = 0) => ({
  input,
  output,
  cacheRead,
  cacheWrite: 0,
  reasoning: 0,
});
export const step = (chunks: string, ...tokens: Parameters<typeof usage>): ScriptedStep => ({
  chunks,
  usage: usage(...tokens),
});

export function clock() {
  let time = 1_790_000_000;
  return () => (time += 0.5);
}

export const prices = { "scripted-1": { input: 2, output: 10 }, small: { input: 1, output: 4, cacheRead: 0.1 } };

/** Two turns with calls, recorded with their requests. */
export async function trip(options = {}): Promise<StoredEvent[]> {
  const store = memoryStore();
  const provider = scripted([
    step(`I look.\n${call("Kiel")}`, 100, 20),
    step("It rains in Kiel.<end>", 140, 10),
    step(`${call("Oslo")}`, 160, 20),
    step(`${call("Bern")}`, 190, 20),
    step("Oslo and Bern are wet.<end>", 220, 15),
  ]);
  const agent = createAgent({
    provider,
    tools: [weather()],
    store,
    prices,
    recordRequests: true,
    clock: clock(),
    ...options,
  });
  await agent.ask("Kiel?", { conversation: "trip" });
  await agent.ask("And Oslo and Bern?", { conversation: "trip" });
  provider.assertDone();
  return store.load({ conversation: "trip" });
}

export const options = (steps: readonly ScriptedStep[], more: Partial<CompareOptions> = {}): CompareOptions => ({
  variants: [{ name: "small", provider: scripted(steps, { model: "small", capabilities: { tools: true } }) }],
  agent: (parts) => createAgent({ tools: [weather()], prices, clock: clock(), ...parts }),
  ...more,
});
