import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import Anthropic from "@anthropic-ai/sdk";
import { columns, measure } from "@tooling/bench";
import { anthropic } from "../src/index.ts";

/** What the provider costs above its bare SDK: CPU time of this process a delta of 4 characters, over real HTTP. */
const deltas = 20_000;
const server = fork(fileURLToPath(new URL("server.ts", import.meta.url)), [String(deltas)]);
const [port] = await once(server, "message");
const baseURL = `http://127.0.0.1:${port}`;
const client = new Anthropic({ baseURL, apiKey: "key-of-the-bench", openTelemetry: false });
const provider = anthropic({ baseURL, apiKey: "key-of-the-bench" });

const measurements = await measure(
  [
    { name: "@anthropic-ai/sdk, bare", floor: true, operations: deltas, run: bare },
    { name: "anthropic()", operations: deltas, run: provided },
  ],
  { rounds: 15, warmup: 4 },
);
server.kill();

const perDelta = (milliseconds: number) => (milliseconds / deltas) * 1000;
const floor = measurements[0]?.median ?? Number.NaN;
console.log(
  `an answer of ${deltas.toLocaleString("en-US")} deltas of 4 characters: CPU time a delta (target: under 2 µs more)`,
);
const rows = measurements.map(({ name, median, min, max }) => [
  name,
  ...[median, min, max].map((time) => `${perDelta(time).toFixed(2)} µs`),
  `${perDelta(median - floor).toFixed(2)} µs`,
]);
for (const line of columns([["", "median", "min", "max", "above the SDK"], ...rows])) console.log(`  ${line}`);

async function bare(): Promise<number> {
  const stream = await client.messages.create({
    model: "claude-sonnet-5-5",
    max_tokens: 1024,
    messages: [{ role: "user", content: "Say a lot." }],
    stream: true,
  });
  let length = 0;
  for await (const event of stream) {
    if (event.type === "content_block_delta" && event.delta.type === "text_delta") length += event.delta.text.length;
  }
  return checked(length);
}

async function provided(): Promise<number> {
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
