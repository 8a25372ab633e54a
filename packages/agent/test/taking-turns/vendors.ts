import { text } from "node:stream/consumers";
import type { Provider } from "@cogency/provider";
import { anthropic } from "@cogency/provider-anthropic";
import { google } from "@cogency/provider-google";
import { openai } from "@cogency/provider-openai";
import { serve } from "@tooling/loopback";
import { type WireAnswer, wireAnswers } from "../switching/wire-answers.ts";
import { validators } from "../validators/index.ts";
import type { Validate } from "../validators/problem.ts";
import { geminiAnswer } from "./gemini-answer.ts";

interface Vendor {
  provider(url: string, model: string | undefined): Provider;
  /** Where its requests go. */
  path: RegExp;
  answer(answer: WireAnswer, body: unknown): string;
  problem: Validate;
}

const apiKey = "key-of-the-test";

/** The real providers, and what their servers answer and accept. */
export const vendors = {
  gemini: {
    provider: (url, model) => google({ baseURL: url, apiKey, model }),
    path: /^\/v1beta\/models\/gemini-[\w.-]+:streamGenerateContent\?alt=sse$/,
    answer: geminiAnswer,
    problem: validators.gemini,
  },
  claude: {
    provider: (url, model) => anthropic({ baseURL: url, apiKey, model }),
    path: /^\/v1\/messages$/,
    answer: wireAnswers.messages,
    problem: validators.messages,
  },
  responses: {
    provider: (url, model) => openai({ api: "responses", baseURL: `${url}/v1`, apiKey, model }),
    path: /^\/v1\/responses$/,
    answer: wireAnswers.responses,
    problem: validators.responses,
  },
  chat: {
    provider: (url, model) => openai({ api: "chat", baseURL: `${url}/v1`, apiKey, model }),
    path: /^\/v1\/chat\/completions$/,
    answer: wireAnswers.chat,
    problem: validators.chat,
  },
} satisfies Record<string, Vendor>;

export type VendorName = keyof typeof vendors;

/** A request as a server received it. */
export interface Received {
  vendor: VendorName;
  path: string;
  body: unknown;
  /** The bytes that it answered. */
  answer: string;
}

/** A server of this vendor on loopback, until the test has finished. It answers what `next` gives, and tells each request. */
export async function vendorServer(
  vendor: VendorName,
  next: () => WireAnswer,
  tell: (request: Received) => void,
): Promise<string> {
  const { url } = await serve(async (request, response) => {
    const body = JSON.parse(await text(request));
    const answer = (vendors[vendor] as Vendor).answer(next(), body);
    tell({ vendor, path: request.url ?? "", body, answer });
    response.writeHead(200, { "content-type": "text/event-stream" }).end(answer);
  });
  return url;
}
