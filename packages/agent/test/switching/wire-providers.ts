import type { ModelRequest, Provider } from "@cogency/provider";
import { anthropic } from "@cogency/provider-anthropic";
import { google } from "@cogency/provider-google";
import { openai } from "@cogency/provider-openai";
import type { Wire } from "../validators/index.ts";
import { type WireAnswer, wireAnswers } from "./wire-answers.ts";

/** A provider as it is published, whose server is a function. */
export interface WireProvider {
  provider: Provider;
  /** The body that it sends for a request. */
  bodyOf(request: ModelRequest): Promise<unknown>;
}

/** The real providers. A provider that is added here needs its answers in `wire-answers.ts` and a validator. */
export function wireProvider(wire: Wire, answer: () => WireAnswer): WireProvider {
  let onlyAsked = false;
  let body: unknown;
  const fetch: typeof globalThis.fetch = async (_, init) => {
    body = JSON.parse(String(init?.body));
    if (onlyAsked) throw new TypeError("The body is known.");
    return new Response(wireAnswers[wire](answer()), { headers: { "content-type": "text/event-stream" } });
  };
  const provider = makers[wire](fetch);
  return {
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

const makers: Record<Wire, (fetch: typeof globalThis.fetch) => Provider> = {
  // Both have one name and one model, so that each is given the native blocks of the other.
  chat: (fetch) => openai({ api: "chat", apiKey, fetch, baseURL: "https://api.openai.com/v1" }),
  responses: (fetch) => openai({ api: "responses", apiKey, fetch, baseURL: "https://api.openai.com/v1" }),
  messages: (fetch) => anthropic({ apiKey, fetch, baseURL: "https://api.anthropic.com" }),
  gemini: (fetch) => google({ apiKey, fetch, baseURL: "https://generativelanguage.googleapis.com" }),
};
