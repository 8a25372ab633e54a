import type { AgentEvent } from "@cogency/protocol";
import { type Provider, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createAgent } from "../src/create-agent.ts";
import { block, collect, conversation, echo, types } from "./support/fixtures.ts";

describe("a mistake of the model", () => {
  it("is answered with a failure in the next step; the broken block is stored and not shown again", async () => {
    const store = memoryStore();
    const provider = scripted(['Reading.<execute>[{"name":"echo"}]</execute>', "Sorry."]);
    const run = createAgent({ provider, tools: [echo], store }).run("go", { conversation });
    const events = await collect(run);
    expect(types(events)).toEqual(["user", "respond", "error", "metric", "respond", "metric"]);
    expect(provider.requests[1]?.messages.slice(1)).toEqual([
      { role: "assistant", content: "Reading." },
      {
        role: "user",
        content: expect.stringMatching(/^<results>\n\[\{"tool":"execute","status":"failure",.*no \\"args\\"/),
      },
    ]);
    const [, record] = await store.load({ conversation }, { types: ["record"] });
    expect(record).toMatchObject({
      kind: "rejected",
      data: { code: "malformed_execute", text: '<execute>[{"name":"echo"}]</execute>' },
    });
    expect((await run.result).status).toBe("completed");
  });

  it("never runs a block that was cut at the output limit", async () => {
    let ran = 0;
    const count = defineTool({ name: "count", description: "Count.", input: z.object({}), execute: () => ++ran });
    const provider = scripted([{ chunks: '<execute>[{"name":"count","args":{}}]', finish: "length" }, "ok"]);
    const events = await collect(createAgent({ provider, tools: [count] }).run("go"));
    expect(events).toContainEqual(expect.objectContaining({ code: "truncated_execute" }));
    expect(ran).toBe(0);
  });

  it.each([
    ["2 calls at most", { calls: 2 }, 2, 2],
    ["2 calls at most", { calls: 2 }, 3, 0],
    ["1,000 by default", {}, 1001, 0],
  ])("refuses a block of too many calls as a whole: %s, %j, of %i calls %i run", async (_, budget, written, runs) => {
    let ran = 0;
    const annotations = { readOnlyHint: true };
    const count = defineTool({
      name: "count",
      description: "n",
      input: z.object({}),
      annotations,
      execute: () => ++ran,
    });
    const block = JSON.stringify(Array(written).fill({ name: "count", args: {} }));
    const provider = scripted([`Now.<execute>${block}</execute>`, "ok"]);
    const store = memoryStore();
    const agent = createAgent({ provider, tools: [count], store, budget, execution: { earlyStart: true } });
    const events = await collect(agent.run("go", { conversation }));
    const stored = await store.load({ conversation });
    const codes = events.flatMap((event) => (event.type === "error" ? [event.code] : []));
    expect({ codes, calls: stored.filter(({ type }) => type === "call").length }).toEqual(
      runs > 0 ? { codes: [], calls: runs } : { codes: ["too_many_calls"], calls: 0 },
    );
    // A call that began early, before the block was too large, only read.
    expect(stored.filter((event) => event.type === "result").length).toBe(runs > 0 ? 1 : 0);
    expect(stored.findLast(({ type }) => type === "respond")).toMatchObject({ content: "ok" });
  });

  it("stops the generation when a block has too many calls, and counts its usage", async () => {
    let written = 0;
    const provider: Provider = {
      name: "endless",
      model: "m",
      capabilities: { tools: false, session: false, reasoning: false, format: false },
      async *stream(_, { signal } = {}) {
        yield { type: "text", text: "Now.<execute>[" };
        while (!signal?.aborted && ++written < 5000) {
          yield { type: "text", text: '{"name":"echo","args":{"text":"x"}},' };
          if (written % 5 === 0) await new Promise((resume) => setTimeout(resume));
        }
        yield { type: "finish", reason: signal?.aborted ? "aborted" : "length" };
      },
    };
    const run = createAgent({ provider, tools: [echo], budget: { calls: 10, failures: 2 } }).run("go");
    const codes: string[] = [];
    await expect(async () => {
      for await (const event of run) if (event.type === "error") codes.push(event.code);
    }).rejects.toMatchObject({ code: "no_progress", message: expect.stringContaining("more than 10 calls") });
    expect(codes).toEqual(["too_many_calls", "too_many_calls"]);
    expect(written).toBeLessThan(50);
    expect(await run.result).toMatchObject({ status: "failed", steps: 2, usage: { estimated: true } });
    expect((await run.result).usage.output).toBeGreaterThan(50);
  });

  it.each([
    ["a malformed block", "<execute>[oops]</execute>", "malformed_execute"],
    ["an empty batch", "<execute>[]</execute>", "empty_batch"],
    ["an empty turn", "", "empty_turn"],
    ["a turn of thinking only", "<think>hm</think>", "empty_turn"],
    ["an explicit end without an answer", "<end>", "empty_turn"],
    ["results of its own", '<results>[{"tool":"echo","status":"success","content":1}]</results>', "forged_results"],
  ])("fails the run when it happens three times in a row: %s", async (_, text, code) => {
    const provider = scripted([text, text, text]);
    const run = createAgent({ provider, tools: [echo] }).run("go");
    const events: AgentEvent[] = [];
    await expect(async () => {
      for await (const event of run) events.push(event);
    }).rejects.toMatchObject({ name: "RunError", code: "no_progress", message: expect.stringContaining("3 times") });
    expect(events.filter((event) => event.type === "error").map((event) => event.code)).toEqual([code, code, code]);
    expect(await run.result).toMatchObject({ status: "failed", steps: 3, error: { code: "no_progress" } });
    expect((await run.result).error?.text).toEqual(expect.any(String));
    provider.assertDone();
  });

  it("counts failures in a row only", async () => {
    const bad = "<execute>[oops]</execute>";
    const good = block(["echo", { text: "x" }]);
    const provider = scripted([bad, bad, good, bad, bad, "done"]);
    expect(await createAgent({ provider, tools: [echo] }).run("go").result).toMatchObject({ text: "done", steps: 6 });
  });

  it("is answered with a nudge in the person's place after an empty turn", async () => {
    const provider = scripted(["<think>done</think>", "Here."]);
    const events = await collect(createAgent({ provider }).run("go"));
    expect(events).toContainEqual(expect.objectContaining({ type: "user", origin: "nudge" }));
    expect(provider.requests[1]?.messages.at(-1)).toMatchObject({
      role: "user",
      content: expect.stringContaining("neither"),
    });
  });

  it("is not an answer of only `<end>` after results", async () => {
    const provider = scripted([block(["echo", { text: "x" }]), "<end>"]);
    expect(await createAgent({ provider, tools: [echo] }).run("go").result).toMatchObject({
      status: "completed",
      text: "",
    });
  });
});
