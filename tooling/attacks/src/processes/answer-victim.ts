import { createAgent } from "@cogency/agent";
import { generate, type ModelRequest, type Provider, ProviderError } from "@cogency/provider";
import { anthropic } from "@cogency/provider-anthropic";
import { google } from "@cogency/provider-google";
import { openai } from "@cogency/provider-openai";
import { defineTool } from "@cogency/tools";
import * as z from "zod";

// `answer-victim.ts <provider> <how> <address>`: sends a request to a hostile server, and prints in one line of JSON how it
// ended and by how many MiB memory grew.
const [name, how = "stream", address = ""] = process.argv.slice(2);
const timeouts = { connect: 5000, idle: 5000 };
const make: Record<string, () => Provider> = {
  chat: () => openai({ api: "chat", baseURL: address, apiKey: "sk-own-key-of-the-user", model: "m", timeouts }),
  responses: () =>
    openai({ api: "responses", baseURL: address, apiKey: "sk-own-key-of-the-user", model: "m", timeouts }),
  realtime: () => openai({ api: "realtime", baseURL: address, apiKey: "sk-own-key-of-the-user", model: "m", timeouts }),
  anthropic: () => anthropic({ baseURL: address, apiKey: "sk-own-key-of-the-user", model: "m", timeouts }),
  google: () => google({ baseURL: address, apiKey: "sk-own-key-of-the-user", model: "m", timeouts }),
  // Without `apiKey`: the key in the environment belongs to another server.
  "chat-of-environment": () => openai({ api: "chat", baseURL: address, model: "m", timeouts }),
  "responses-of-environment": () => openai({ api: "responses", baseURL: address, model: "m", timeouts }),
  "anthropic-of-environment": () => anthropic({ baseURL: address, model: "m", timeouts }),
  "google-of-environment": () => google({ baseURL: address, model: "m", timeouts }),
  "openrouter-of-environment": () => openai({ preset: "openrouter", baseURL: address, model: "m", timeouts }),
};

const request: ModelRequest = {
  system: "You are a test.",
  messages: [{ role: "user", content: "the user's secret words" }],
};
const before = process.memoryUsage.rss();
let most = before;
const timer = setInterval(look, 20);
let events = 0;
let error: unknown;
try {
  const provider = make[name ?? ""]?.();
  if (!provider) throw new Error(`There is no provider ${name}.`);
  if (how === "generate") events = (await (provider.generate?.(request) ?? generate(provider, request))).length;
  else if (how === "agent") {
    const tool = defineTool({ name: "a", description: "a", input: z.object({}), execute: () => "x" });
    const result = await createAgent({ provider, tools: [tool], budget: { steps: 2 } }).run("Go.").result;
    error = result.error;
  } else if (how === "connect") {
    const session = await provider.connect?.(request);
    for await (const _ of session?.send("hello") ?? []) events++;
    await session?.close();
  } else for await (const _ of provider.stream(request)) events++;
} catch (thrown) {
  error = thrown;
}
clearInterval(timer);
look();
const told =
  error instanceof Error ? `${error.stack}\n${JSON.stringify(error)}\n${describe(error.cause)}` : String(error ?? "");
const code = error instanceof ProviderError ? error.code : error instanceof Error ? error.name : "";
process.stdout.write(
  `${JSON.stringify({ events, code, told: told.slice(0, 20_000), isLong: told.length > 20_000, grown: Math.round((most - before) / 2 ** 20) })}\n`,
);
process.exit(0);

function look(): void {
  most = Math.max(most, process.memoryUsage.rss());
}

function describe(cause: unknown): string {
  return cause instanceof Error
    ? `${cause.stack} ${JSON.stringify(cause)} ${describe(cause.cause)}`
    : String(cause ?? "");
}
