import type { WireHarness } from "@cogency/provider/testkit";
import { chatWire } from "@tooling/wires/chat";
import { problemOf } from "@tooling/wires/strict";
import { openai } from "../../src/openai.ts";
import { responsesProvider, responsesWire } from "./responses-wire.ts";

/** What the kit runs against. */
export const chat: WireHarness = {
  wire: { ...chatWire, problem: problemOf("openai-chat", "vllm-mistral", "ollama") },
  provider: ({ url, ...address }) =>
    openai({ api: "chat", baseURL: `${url}/v1`, attachments: ["image", "file"], ...address }),
};

export const responses: WireHarness = {
  wire: { ...responsesWire, problem: problemOf("openai-responses") },
  provider: responsesProvider,
  declare: { "the request carries stop sequences": "the Responses API knows none" },
};
