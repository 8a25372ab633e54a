import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { Provider } from "@cogency/provider";
import { createFetch } from "@cogency/provider/http";
import type { Wire, WireAddress, WireHarness } from "@cogency/provider/testkit";
import { chatWire } from "@tooling/wires/chat";
import { wire as geminiWire } from "@tooling/wires/gemini";
import { wire as messagesWire } from "@tooling/wires/messages";
import { problemOf } from "@tooling/wires/strict";
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

const options = {
  "the request carries the options of the wire":
    "its options are `providerOptions`, an object for each provider: see the test of requests",
};
const held = {
  "the last frame ends the answer although the server keeps the connection open":
    "the model tells the finish when the body of the answer ends",
};
const withoutCacheWrites = {
  "usage is exact: cache writes, which are no part of input":
    "the model does not tell what the server writes to its cache",
};
/** Of the sizes the `fetch` knows those of bodies alone, and the model splits them. */
const lines = {
  "`eventBytes` ends a line that does not end": "the model reads the lines; `answerBytes` ends them",
  "an answer is measured as it is unpacked, and has limits by default":
    "the default of `answerBytes` is more than the kit sends, and nothing limits a line",
};

const openAICompatible: WireHarness = {
  wire: { ...plainChatWire, problem: problemOf("openai-chat", "vllm-mistral", "ollama") },
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
  declare: { ...options, ...held, ...withoutCacheWrites, ...lines },
};

const anthropic: WireHarness = {
  wire: { ...messagesWire, problem: problemOf("anthropic") },
  provider: over(
    ({ url, apiKey, fetch }) => createAnthropic({ baseURL: `${url}/v1`, apiKey, fetch }),
    "claude-sonnet-4-5",
  ),
  declare: { ...options, ...lines },
};

const google: WireHarness = {
  wire: geminiWire,
  provider: over(
    ({ url, apiKey, fetch }) => createGoogle({ baseURL: `${url}/v1beta`, apiKey, fetch }),
    "gemini-2.5-flash",
  ),
  declare: { ...options, ...held, ...withoutCacheWrites, ...lines },
};

/** By the package of the AI SDK whose models they are. */
export const harnesses: Readonly<Record<string, WireHarness>> = {
  "@ai-sdk/openai-compatible": openAICompatible,
  "@ai-sdk/anthropic": anthropic,
  "@ai-sdk/google": google,
};
