import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { Provider } from "@cogency/provider";
import { createFetch } from "@cogency/provider/http";
import type { Wire, WireAddress, WireHarness } from "@cogency/provider/testkit";
import { wire as messagesWire } from "../../../provider-anthropic/test/support/messages-wire.ts";
import { wire as geminiWire } from "../../../provider-google/test/support/gemini-wire.ts";
import { chatWire } from "../../../provider-openai/test/support/chat-wire.ts";
import { aiSdk, type LanguageModel } from "../../src/index.ts";

/** A provider of the AI SDK, whose requests have the limits of ours. */
function over(make: (address: WireAddress & { fetch: typeof fetch }) => (id: string) => LanguageModel, id: string) {
  return ({ timeouts, limits, ...address }: WireAddress): Provider => {
    const models = make({ ...address, fetch: createFetch({ timeouts, limits }) });
    const { answerCharacters, calls, blocks, depth } = limits ?? {};
    const own = { answerCharacters, calls, blocks, depth };
    return aiSdk({ model: models(id), models, secrets: [address.apiKey], limits: own });
  };
}

/** Chat Completions without what the AI SDK does not read: encrypted reasoning. */
const plainChatWire: Wire = {
  ...chatWire,
  answer: ({ parts, ...reply }) =>
    chatWire.answer({
      ...reply,
      parts: parts.map((part) => (part.type === "reasoning" ? { type: part.type, text: part.text } : part)),
    }),
};

export const openAICompatible: WireHarness = {
  wire: plainChatWire,
  provider: over(
    ({ url, apiKey, fetch }) =>
      createOpenAICompatible({
        name: "local",
        baseURL: `${url}/v1`,
        apiKey,
        fetch,
        includeUsage: true,
        supportsStructuredOutputs: true,
      }),
    "gpt-5.5",
  ),
};

export const anthropic: WireHarness = {
  wire: messagesWire,
  provider: over(({ url, apiKey, fetch }) => createAnthropic({ baseURL: `${url}/v1`, apiKey, fetch }), "claude-sonnet-5-5"),
};

export const google: WireHarness = {
  wire: geminiWire,
  provider: over(({ url, apiKey, fetch }) => createGoogle({ baseURL: `${url}/v1beta`, apiKey, fetch }), "gemini-3.8-flash"),
};
