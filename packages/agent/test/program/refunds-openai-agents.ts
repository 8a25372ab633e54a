// The same program with @openai/agents, as far as that goes. PROVIDER=other asks another server that speaks Chat Completions.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Agent, OpenAIProvider, Runner, RunState, tool } from "@openai/agents";
import * as z from "zod";
import { shop } from "./shop.ts";

const lookup = tool({
  name: "lookup",
  description: "Look an order up.",
  parameters: z.object({ order: z.string() }),
  execute: ({ order }) => shop.find(order),
});
const refund = tool({
  name: "refund",
  description: "Refund an order.",
  parameters: z.object({ order: z.string(), amount: z.number().positive() }),
  needsApproval: true,
  execute: ({ order, amount }) => shop.refund(order, amount),
});
const agent = new Agent({ name: "orders", instructions: "You help with orders.", tools: [lookup, refund] });
const other = {
  baseURL: process.env.OTHER_BASE_URL ?? "",
  apiKey: process.env.OTHER_API_KEY ?? "",
  useResponses: false,
};
const modelProvider = new OpenAIProvider(process.env.PROVIDER === "other" ? other : {});
const runner = new Runner({ modelProvider, tracingDisabled: true });

const [conversation = "case", prompt] = process.argv.slice(2);
const file = `${conversation}.json`;
const saved = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { history: [] };
const controller = new AbortController();
const { signal } = controller;
const terminal = createInterface({ input: process.stdin, output: process.stdout });
for (const source of [process, terminal]) source.on("SIGINT", () => controller.abort());

let isOver = false;
let input =
  prompt === undefined
    ? await RunState.fromString(agent, saved.state)
    : [...saved.history, { role: "user", content: prompt }];
while (!isOver && !signal.aborted) {
  const run = await runner.run(agent, input, { stream: true, signal });
  for await (const event of run) {
    if (event.type === "raw_model_stream_event" && event.data.type === "output_text_delta")
      process.stdout.write(event.data.delta);
    if (event.type !== "run_item_stream_event") continue;
    const { rawItem } = event.item;
    if (event.name === "tool_called" && rawItem?.type === "function_call")
      console.log(`→ ${rawItem.name} ${rawItem.arguments}`);
    if (event.name === "tool_output" && "output" in event.item)
      console.log(`success ${JSON.stringify(event.item.output)}`);
  }
  await run.completed;
  writeFileSync(file, JSON.stringify({ history: run.history, state: run.state.toString() }));
  for (const asked of run.interruptions) {
    const answer = await terminal.question(`${asked.name} ${asked.arguments}? (yes/no) `, { signal }).catch(() => "no");
    if (answer === "yes") run.state.approve(asked);
    else run.state.reject(asked);
  }
  isOver = run.interruptions.length === 0;
  input = run.state;
}
console.log(`\n${signal.aborted ? "stopped" : "completed"}`);
terminal.close();
