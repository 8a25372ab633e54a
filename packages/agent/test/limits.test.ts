import { scripted } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { createAgent } from "../src/create-agent.ts";
import { block, collect, echo, types } from "./support/fixtures.ts";

describe("a model that reaches its output limit", () => {
  it.each([
    [
      "length",
      64,
      "There is no answer: the model reached the limit of 64 tokens (`request.maxOutputTokens`). Ask for a shorter answer. Raise `request.maxOutputTokens`, if the model allows more.",
    ],
    [
      "length",
      undefined,
      "There is no answer: the model reached its own output limit. Ask for a shorter answer. `request.maxOutputTokens` raises the limit, if the model allows more.",
    ],
    ["content_filter", 64, "There is no answer: the model was stopped by the provider's content filter."],
  ] as const)(
    "ends the run without another request, and says why: %s, limit %s",
    async (finish, maxOutputTokens, message) => {
      const thinking = { events: [{ type: "reasoning", text: "Let me see." } as const], finish };
      for (const step of [{ chunks: "", finish }, { chunks: "<think>Let me see", finish }, thinking]) {
        const provider = scripted([step]);
        const request = maxOutputTokens === undefined ? {} : { maxOutputTokens };
        const run = createAgent({ provider, request }).run("go");
        expect(types(await collect(run))).not.toContain("error");
        expect(await run.result).toMatchObject({
          status: "completed",
          text: "",
          steps: 1,
          stop: {
            reason: "finish_reason",
            message,
            context: { finish, ...(finish === "length" && maxOutputTokens && { maxOutputTokens }) },
          },
        });
        provider.assertDone();
      }
    },
  );

  it.each(["length", "content_filter"] as const)("is reported as an incomplete answer: %s", async (finish) => {
    const provider = scripted([{ chunks: "Half an ans", finish }]);
    expect(await createAgent({ provider }).run("go").result).toMatchObject({
      status: "completed",
      text: "Half an ans",
      stop: { reason: "finish_reason", context: { finish } },
    });
  });

  it.each([
    [
      { maxOutputTokens: 3 },
      "The answer is not complete: the model reached the limit of 3 tokens (`request.maxOutputTokens`). Prompt for the rest. Raise `request.maxOutputTokens`, if the model allows more.",
    ],
    [
      {},
      "The answer is not complete: the model reached its own output limit. Prompt for the rest. `request.maxOutputTokens` raises the limit, if the model allows more.",
    ],
  ])("is reported with its limit also if a part of the answer came: %j", async (request, message) => {
    const provider = scripted([{ chunks: "Half an ans", finish: "length" }]);
    const { stop } = await createAgent({ provider, request }).run("go").result;
    expect(stop?.message).toBe(message);
  });

  it("is nudged if it stopped by itself", async () => {
    const provider = scripted([{ chunks: "<think>hm</think>", finish: "stop" }, "Here."]);
    expect(await createAgent({ provider }).run("go").result).toMatchObject({ text: "Here.", steps: 2 });
  });
});

describe("the step limit", () => {
  it("stops the run, and `stop` has the steps and the limit", async () => {
    const again = block(["echo", { text: "x" }]);
    const provider = scripted([again, again]);
    const run = createAgent({ provider, tools: [echo], budget: { steps: 2 } }).run("go");
    expect(await run.result).toMatchObject({
      status: "stopped",
      steps: 2,
      stop: {
        reason: "steps_limit",
        message: expect.stringContaining("2 of 2"),
        context: { currentSteps: 2, maxSteps: 2 },
      },
    });
    provider.assertDone();
  });

  it("refuses a budget that allows nothing", () => {
    expect(() => createAgent({ provider: scripted([]), budget: { steps: 0 } })).toThrow("`steps` is 0");
  });
});
