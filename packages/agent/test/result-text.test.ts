import { ProviderError, type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { defineTool, StopRun } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { AgentOptions } from "../src/agent-options.ts";
import { createAgent } from "../src/create-agent.ts";
import { block, broken, echo } from "./support/fixtures.ts";

const call = block(["echo", { text: "x" }]);
const report = `Full report.${call}`;
const stopping = defineTool({
  name: "stopping",
  description: "End the run.",
  input: z.object({}),
  execute() {
    throw new StopRun({ reason: "completed" });
  },
});

const resultOf = (steps: readonly ScriptedStep[], options: Partial<AgentOptions> = {}) =>
  createAgent({ provider: scripted(steps), tools: [echo, broken, stopping], ...options }).run("go").result;

describe("the text of a result", () => {
  it.each<[string, ScriptedStep[], Partial<AgentOptions>, string]>([
    ["is the report before the last batch, where the model has nothing to add", [report, "<end>"], {}, "completed"],
    ["is the answer, where there is one", [report, "In short: fine.<end>"], {}, "completed"],
    ["is what was said before the step limit", [report], { budget: { steps: 1 } }, "stopped"],
    ["is the text before the steps without text", [report, call, call], { budget: { repeats: 2 } }, "stopped"],
    ["is what was said before a tool ended the run", [`Full report.${block(["stopping", {}])}`], {}, "completed"],
    ["is what was said before a tool ended the run silently", [report, block(["stopping", {}])], {}, "completed"],
    [
      "is the text before a failure that ends the run",
      [`Full report.${block(["broken", {}])}`],
      { execution: { throwOnToolFailure: true } },
      "failed",
    ],
    ["is the text before the provider failed", [report, { error: new ProviderError("server", "down") }], {}, "failed"],
    [
      "is the part of an answer that came before the connection broke",
      [call, { chunks: "Full report.", error: new ProviderError("cut_stream", "gone") }],
      {},
      "failed",
    ],
    ["is what was said before nothing usable came", [report, "", "", ""], {}, "failed"],
    ["is what was said before an answer that had no room", [report, { chunks: "", finish: "length" }], {}, "completed"],
    ["is the text beside a block that was refused", ["Full report.<execute>[oops]</execute>", "", ""], {}, "failed"],
  ])("%s", async (_, steps, options, status) => {
    const text = steps.some((step) => step === "In short: fine.<end>") ? "In short: fine." : "Full report.";
    expect(await resultOf(steps, options)).toMatchObject({ status, text });
  });

  it("joins the units of one message, and is replaced by the next message with text", async () => {
    expect((await resultOf([`One.<think>hm</think>Two.${call}`, "<end>"])).text).toBe("One.\n\nTwo.");
    expect((await resultOf([`One.${call}`, `Two.${call}`, "<end>"])).text).toBe("Two.");
  });

  it("is the text until the consumer left, also in the middle of a unit", async () => {
    for (const stream of ["token", "event"] as const) {
      const provider = scripted([report, { chunks: ["In sh", "ort"], hang: true }]);
      const run = createAgent({ provider, tools: [echo] }).run("go", { stream });
      for await (const event of run) if (event.type === (stream === "token" ? "respond" : "result")) break;
      expect(await run.result).toMatchObject({ status: "stopped", text: "Full report." });
    }
    const run = createAgent({ provider: scripted([{ chunks: ["In sh", "ort"], hang: true }]) }).run("go", {
      stream: "token",
    });
    for await (const event of run) if (event.type === "respond" && event.content === "ort") break;
    expect(await run.result).toMatchObject({ status: "stopped", text: "In short" });
  });

  it("is the text until the run was cancelled", async () => {
    const controller = new AbortController();
    const provider = scripted([report, { chunks: ["In sh", "ort"], hang: true }]);
    const run = createAgent({ provider, tools: [echo] }).run("go", { stream: "token", signal: controller.signal });
    for await (const event of run) if (event.type === "respond" && event.content === "ort") controller.abort();
    expect(await run.result).toMatchObject({ status: "stopped", text: "In short" });
  });

  it("is there although the text could not be stored", async () => {
    const inner = memoryStore();
    const append: Store["append"] = (key, events, options) =>
      events.some(({ type }) => type === "respond")
        ? Promise.reject(new Error("gone"))
        : inner.append(key, events, options);
    const store = { ...inner, append };
    expect(await resultOf(["Full report."], { store })).toMatchObject({
      status: "failed",
      text: "Full report.",
      error: { code: "store" },
    });
  });

  it("is the text of this run, not of an earlier one", async () => {
    const store = memoryStore();
    await createAgent({ provider: scripted(["Old."]), store }).run("go", { conversation: "c" }).result;
    const failing = scripted([{ error: new ProviderError("server", "down") }]);
    const { text } = await createAgent({ provider: failing, store }).run("more", { conversation: "c" }).result;
    expect(text).toBe("");
  });
});
