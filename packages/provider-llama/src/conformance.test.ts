import type { ModelRequest } from "@cogency/provider";
import { runProviderConformance, withoutReply, withoutWire } from "@cogency/provider/testkit";
import { afterAll, expect, it } from "vitest";
import { describeLlama } from "../test/support/describe-llama.ts";
import { modelPath } from "../test/support/model-path.ts";
import { llama } from "./llama.ts";

describeLlama("the model in a file", () => {
  const provider = llama({ model: modelPath(), threads: 1, gpu: false, seed: 7, contextSize: 1024 });
  afterAll(() => provider.close());
  const request: ModelRequest = {
    system: "Be brief.",
    messages: [{ role: "user", content: "Hello." }],
    maxOutputTokens: 8,
  };

  it("keeps the contract of a provider", async () => {
    const { table } = await runProviderConformance("llama", () => ({
      provider: () => provider,
      request,
      declare: { ...withoutReply, ...withoutWire },
    }));
    console.log(table.split("\n").at(-1));
    expect(table).toMatch(/^llama: \d+ passed, \d+ declared$/m);
  });
});
