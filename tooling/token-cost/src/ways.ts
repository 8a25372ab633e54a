import { protocolDriver } from "@cogency/agent";
import type { Driver } from "@cogency/agent/driver";
import { nativeDriver } from "@cogency/agent/native";
import { reactDriver } from "@cogency/agent/react";
import type { Provider } from "@cogency/provider";
import { anthropic } from "@cogency/provider-anthropic";
import { openai } from "@cogency/provider-openai";
import { chatWire } from "@tooling/wires/chat";
import { wire as messagesWire } from "@tooling/wires/messages";
import { automaticCache } from "./caches/automatic-cache.ts";
import type { Cache } from "./caches/cache.ts";
import { markedCache } from "./caches/marked-cache.ts";
import { noCache } from "./caches/no-cache.ts";
import type { Form } from "./conversation/reply.ts";
import { chatSections } from "./servers/chat-sections.ts";
import { httpServer } from "./servers/http-server.ts";
import { messagesSections } from "./servers/messages-sections.ts";
import { realtimeServer } from "./servers/realtime-server.ts";
import type { ScriptedModel } from "./servers/scripted-model.ts";
import type { ModelServer } from "./servers/start-server.ts";

/** How an agent speaks to its model. */
export interface Way {
  readonly name: string;
  readonly wire: string;
  readonly mode: "replay" | "resume";
  readonly serve: (model: ScriptedModel) => Promise<ModelServer>;
  readonly provider: (url: string) => Provider;
  readonly cache: () => Cache;
  readonly price: Price;
}

/** What a token costs that is read from the cache, or written to it; any other one costs 1. */
export interface Price {
  readonly cached: number;
  readonly written: number;
}

const apiKey = "key-of-the-bench";
const chat = {
  wire: "Chat Completions",
  mode: "replay",
  serve: (model) => httpServer(model, chatWire, chatSections),
  provider: (url) => openai({ api: "chat", baseURL: `${url}/v1`, apiKey, model: "gpt-5.5" }),
} satisfies Partial<Way>;

/** OpenAI bills a cached token at a tenth (gpt-5 and later, gpt-realtime), and before GPT-5.6 nothing for keeping it. */
const openaiPrice: Price = { cached: 0.1, written: 1 };
/** Anthropic bills a cached token at a tenth, and one that is written at one and a quarter. */
const anthropicPrice: Price = { cached: 0.1, written: 1.25 };

/** The least prompt cache, and those of the two servers whose rules are published, beside a session. */
export const ways = {
  replay: { ...chat, name: "replay, no cache", cache: noCache, price: openaiPrice },
  cached: { ...chat, name: "replay, OpenAI's cache", cache: automaticCache, price: openaiPrice },
  marked: {
    name: "replay, Anthropic's cache",
    wire: "Messages",
    mode: "replay",
    serve: (model) => httpServer(model, messagesWire, messagesSections),
    provider: (url) => anthropic({ baseURL: url, apiKey, model: "claude-sonnet-5-5" }),
    cache: markedCache,
    price: anthropicPrice,
  },
  resume: {
    name: "resume",
    wire: "Realtime",
    mode: "resume",
    serve: realtimeServer,
    provider: (url) => openai({ api: "realtime", baseURL: `${url}/v1`, apiKey, model: "gpt-realtime" }),
    cache: automaticCache,
    price: openaiPrice,
  },
} as const satisfies Record<string, Way>;

export type WayName = keyof typeof ways;

/** The driver that reads what a model writes in this form. */
export const driverOf: Record<Form, () => Driver> = {
  json: () => protocolDriver(),
  xml: () => protocolDriver({ dialect: "xml" }),
  native: () => nativeDriver(),
  react: () => reactDriver(),
};
