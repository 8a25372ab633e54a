import { runProviderConformance } from "@cogency/provider/testkit";
import { problemOf } from "@tooling/wires/strict";
import { expect, it } from "vitest";
import { chatWire } from "../../test/support/chat-wire.ts";
import { openai } from "../openai.ts";

it("speaks Chat Completions as every provider must", async () => {
  const report = await runProviderConformance("openai-chat", () => ({
    wire: { ...chatWire, problem: problemOf("openai-chat", "vllm-mistral", "ollama") },
    provider: ({ url, ...address }) =>
      openai({ api: "chat", baseURL: `${url}/v1`, attachments: ["image", "file"], ...address }),
  }));
  console.log(report.table);
  expect(report.cases.every(({ status }) => status === "passed")).toBe(true);
});
