import type { ModelRequest, Provider } from "@cogency/provider";
import { type AnthropicOptions, anthropic } from "@cogency/provider-anthropic";
import { google } from "@cogency/provider-google";
import { openai } from "@cogency/provider-openai";
import type { Wire } from "../validators/index.ts";
import { type WireAnswer, wireAnswers } from "./wire-answers.ts";

/** A provider as it is published, whose server is a function. */
export interface WireProvider {
  wire: Wire;
  provider: Provider;
  /** The body that it sends for a request. */
  bodyOf(request: ModelRequest): Promise<unknown>;
}

/** A model behind a wire. Those of Messages think as the model itself decides, with a budget, or not at all. */
export type ModelChoice = Wire | "messages with a budget" | "messages without thinking";

/** The real providers. A provider that is added here needs its answers in `wire-answers.ts` and a validator. */
export function wireProvider(model: ModelChoice, answer: () => WireAnswer): WireProvider {
  let onlyAsked = false;
  let body: unknown;
  const fetch: typeof globalThis.fetch = async (_, init) => {
    body = JSON.parse(String(init?.body));
    if (onlyAsked) throw new TypeError("The body is known.");
    const given = answer();
    if (given.isDown) return new Response("{}", { status: 503, headers: { "content-type": "application/json" } });
    return new Response(wireAnswers[wire](given, body), { headers: { "content-type": "text/event-stream" } });
  };
  const { wire, make } = makers[model];
  const provider = make(fetch);
  return {
    wire,
    provider,
    async bodyOf(request) {
      onlyAsked = true;
      body = undefined;
      try {
        for await (const _ of provider.stream(request));
      } catch (error) {
        if (body === undefined) throw error;
      } finally {
        onlyAsked = false;
      }
      return body;
    },
  };
}

const apiKey = "key-of-the-test";

interface Maker {
  wire: Wire;
  make(fetch: typeof globalThis.fetch): Provider;
}

function messages(thinking?: AnthropicOptions["thinking"]): Maker {
  const options = { apiKey, baseURL: "https://api.anthropic.com", ...(thinking && { thinking }) };
  return { wire: "messages", make: (fetch) => anthropic({ ...options, fetch }) };
}

const makers: Record<ModelChoice, Maker> = {
  // Both have one name and one model, so that each is given the native blocks of the other.
  chat: {
    wire: "chat",
    make: (fetch) => openai({ api: "chat", apiKey, fetch, baseURL: "https://api.openai.com/v1" }),
  },
  responses: {
    wire: "responses",
    make: (fetch) => openai({ api: "responses", apiKey, fetch, baseURL: "https://api.openai.com/v1" }),
  },
  messages: messages(),
  "messages with a budget": messages({ type: "enabled", budget_tokens: 2048 }),
  "messages without thinking": messages({ type: "disabled" }),
  gemini: {
    wire: "gemini",
    make: (fetch) => google({ apiKey, fetch, baseURL: "https://generativelanguage.googleapis.com" }),
  },
};

export const modelChoices = Object.keys(makers) as ModelChoice[];
