// node refunds.ts <case> <prompt> asks; node refunds.ts <case> goes on with what was cut off. PROVIDER=anthropic asks the other one.
import { createInterface } from "node:readline/promises";
import { createAgent, defineTool, type RunOptions } from "@cogency/agent";
import { auto } from "@cogency/agent/auto";
import { anthropic } from "@cogency/provider-anthropic";
import { openai } from "@cogency/provider-openai";
import { sqliteStore } from "@cogency/storage-sqlite";
import { createKeyRing } from "@cogency/tools";
import * as z from "zod";
import { shop } from "./shop.ts";

const lookup = defineTool({
  name: "lookup",
  description: "Look an order up.",
  input: z.object({ order: z.string() }),
  annotations: { readOnlyHint: true },
  execute: ({ order }) => shop.find(order),
});
const refund = defineTool({
  name: "refund",
  description: "Refund an order.",
  input: z.object({ order: z.string(), amount: z.number().positive() }),
  approval: "ask",
  execute: ({ order, amount }) => shop.refund(order, amount),
});
const isGone = (owner: string) => {
  try {
    return !process.kill(Number.parseInt(owner, 10), 0);
  } catch {
    return true;
  }
};

const store = await sqliteStore({ path: "orders.db" });
const agent = createAgent({
  provider: process.env.PROVIDER === "anthropic" ? anthropic() : openai(),
  driver: auto(),
  instructions: "You help with orders.",
  tools: [lookup, refund],
  store,
  keyRing: createKeyRing([process.env.REFUNDS_SECRET ?? ""]),
  lease: { owner: String(process.pid), isGone },
});

const [conversation = "case", prompt] = process.argv.slice(2);
const controller = new AbortController();
const terminal = createInterface({ input: process.stdin, output: process.stdout });
for (const source of [process, terminal]) source.on("SIGINT", () => controller.abort());
const options = {
  conversation,
  signal: controller.signal,
  stream: "token",
  events: "all",
  approve: async ({ call: { name, args }, signal }) =>
    (await terminal.question(`${name} ${JSON.stringify(args)}? (yes/no) `, { signal })) === "yes",
} satisfies RunOptions;

const run = prompt === undefined ? agent.recover(options) : agent.run(prompt, options);
for await (const event of run) {
  if (event.type === "respond") process.stdout.write(event.content);
  if (event.type === "tool_started") console.log(`→ ${event.name} ${JSON.stringify(event.args)}`);
  if (event.type === "tool_ended") console.log(`${event.outcome} ${JSON.stringify(event.result.content)}`);
}
console.log(`\n${(await run.result).status}`);
terminal.close();
await store.close();
