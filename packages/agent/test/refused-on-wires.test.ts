import type { ModelRequest, Provider } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { createAgent } from "../src/index.ts";
import { nativeDriver } from "../src/native.ts";
import { conversation, echo } from "./support/fixtures.ts";
import type { WireAnswer } from "./switching/wire-answers.ts";
import { modelChoices, wireProvider } from "./switching/wire-providers.ts";
import { validators } from "./validators/index.ts";

const good = { type: "tool_call", id: "call_a", name: "echo", arguments: '{"text":"a"}' } as const;
const bad = (args: string) => ({ type: "tool_call", id: "call_b", name: "echo", arguments: args }) as const;

// Gemini sends arguments as a part of its own JSON, which its wire reads.
const choices = modelChoices.filter((choice) => choice !== "gemini");

describe.each(choices)("the server of %s", (choice) => {
  it.each<[string, string]>([
    ["digits that a number cannot keep", '{"text":"b","id":2512292042121000001}'],
    ["a key that is given twice", '{"text":"a","text":"b"}'],
  ])("accepts every request after a call with %s was refused, and nothing of that message runs", async (_, args) => {
    const think = { type: "reasoning", text: "I think." } as const;
    const answers: Omit<WireAnswer, "nth" | "isCut" | "isDown">[] = [
      { parts: [think, good, bad(args)], finish: "tool_calls" },
      { parts: [think, good], finish: "tool_calls" },
      { parts: [think, { type: "text", text: "It says a." }], finish: "stop" },
    ];
    let nth = 0;
    const wired = wireProvider(choice, () => {
      const answer = answers[nth] ?? expect.unreachable("There is no answer left.");
      return { ...answer, nth: ++nth, isCut: false, isDown: false };
    });
    const requests: ModelRequest[] = [];
    const { name, model, capabilities } = wired.provider;
    const provider: Provider = {
      name,
      model,
      capabilities,
      stream(request, options) {
        requests.push(request);
        return wired.provider.stream(request, options);
      },
    };
    const store = memoryStore();
    const result = await createAgent({ provider, tools: [echo], store, driver: nativeDriver() }).ask("go", {
      conversation,
    });
    expect(result).toMatchObject({ status: "completed", text: "It says a.", toolErrors: 0 });
    for (const request of requests) expect(validators[wired.wire](await wired.bodyOf(request))).toBeUndefined();
    const log = await store.load({ conversation });
    expect(log.filter(({ type }) => type === "call")).toHaveLength(1);
    const [refused] = log.flatMap((event) =>
      event.type === "record" && event.kind === "rejected" ? [event.data] : [],
    );
    const written = refused?.text
      ?.trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(written).toEqual([
      { name: "echo", arguments: good.arguments },
      { name: "echo", arguments: args },
    ]);
    expect(JSON.stringify(requests[1]?.messages)).toContain("not valid at character");
  });
});
