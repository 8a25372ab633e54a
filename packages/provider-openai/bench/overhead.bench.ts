import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Provider } from "@cogency/provider";
import { columns, measure } from "@tooling/bench";
import OpenAI from "openai";
import { openai } from "../src/index.ts";

/** What the provider costs above its bare SDK: CPU time of this process a delta of 4 characters, over real HTTP. */
const deltas = 20_000;
const server = fork(fileURLToPath(new URL("server.ts", import.meta.url)), [String(deltas)]);
const [port] = await once(server, "message");
const baseURL = `http://127.0.0.1:${port}/v1`;
const client = new OpenAI({ baseURL, apiKey: "key-of-the-bench" });
const chat = openai({ baseURL, apiKey: "key-of-the-bench", model: "m-1" });
const responses = openai({ baseURL, apiKey: "key-of-the-bench", model: "m-1", api: "responses" });

const measurements = await measure(
  [
    { name: "Chat Completions, bare", floor: true, operations: deltas, run: bare },
    { name: "openai() over Chat Completions", operations: deltas, run: () => provided(chat) },
    { name: "Responses, bare", floor: true, operations: deltas, run: bareResponses },
    { name: "openai() over Responses", operations: deltas, run: () => provided(responses) },
  ],
  { rounds: 15, warmup: 4 },
);
server.kill();

const perDelta = (milliseconds: number) => (milliseconds / deltas) * 1000;
console.log(
  `an answer of ${deltas.toLocaleString("en-US")} deltas of 4 characters: CPU time a delta (target: under 2 µs more)`,
);
// Each wire stands beside its own bare SDK.
const rows = measurements.map(({ name, median, min, max }, index) => [
  name,
  ...[median, min, max].map((time) => `${perDelta(time).toFixed(2)} µs`),
  `${perDelta(median - (measurements[index - (index % 2)]?.median ?? Number.NaN)).toFixed(2)} µs`,
]);
for (const line of columns([["", "median", "min", "max", "above the SDK"], ...rows])) console.log(`  ${line}`);

async function bare(): Promise<number> {
  const stream = await client.chat.completions.create({
    model: "m-1",
    messages: [{ role: "user", content: "Say a lot." }],
    stream: true,
  });
  let length = 0;
  for await (const chunk of stream) length += chunk.choices[0]?.delta.content?.length ?? 0;
  return checked(length);
}

async function bareResponses(): Promise<number> {
  const stream = await client.responses.create({ model: "m-1", input: "Say a lot.", stream: true });
  let length = 0;
  for await (const event of stream) length += event.type === "response.output_text.delta" ? event.delta.length : 0;
  return checked(length);
}

async function provided(provider: Provider): Promise<number> {
  let length = 0;
  for await (const event of provider.stream({ system: "", messages: [{ role: "user", content: "Say a lot." }] })) {
    if (event.type === "text") length += event.text.length;
  }
  return checked(length);
}

function checked(length: number): number {
  if (length !== deltas * 4) throw new Error(`${length} characters came of ${deltas * 4}.`);
  return length;
}
