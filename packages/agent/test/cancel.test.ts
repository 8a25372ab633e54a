import { toMessages } from "@cogency/protocol";
import { type Provider, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { createAgent } from "../src/create-agent.ts";
import { protocolDriver } from "../src/drivers/protocol-driver.ts";
import { block, collect, conversation, echo, endless, resultsIn, types } from "./support/fixtures.ts";

describe("cancelling", () => {
  it("before the start makes no request", async () => {
    const provider = scripted([]);
    const run = createAgent({ provider }).run("go", { signal: AbortSignal.abort() });
    expect(types(await collect(run))).toEqual(["user", "interrupt", "cancelled"]);
    expect(await run.result).toMatchObject({ status: "stopped", stop: { reason: "user_requested" } });
    expect(provider.requests).toEqual([]);
  });

  it("while the model writes keeps its text so far", async () => {
    const store = memoryStore();
    const controller = new AbortController();
    const provider = scripted([{ chunks: ["One. ", "<think>two</think>", "Thr"], hang: true }]);
    const run = createAgent({ provider, store }).run("go", {
      conversation,
      signal: controller.signal,
      stream: "token",
    });
    const seen: string[] = [];
    for await (const event of run) {
      seen.push(event.type);
      if (event.type === "respond" && event.content === "Thr") controller.abort();
    }
    expect(seen).toEqual(["user", "respond", "think", "respond", "metric", "interrupt", "cancelled"]);
    const stored = await store.load({ conversation });
    expect(
      stored.filter(({ type }) => type !== "record").map((event) => ("content" in event ? event.content : event.type)),
    ).toEqual(["go", "One.", "two", "Thr", "cancelled"]);
  });

  it("in the middle of a block does not count as the model's mistake", async () => {
    const controller = new AbortController();
    const provider = scripted([{ chunks: ["<execute>[", '{"name":"echo","args":{"text":"x"}}'], hang: true }]);
    const run = createAgent({ provider, tools: [echo] }).run("go", { signal: controller.signal, stream: "token" });
    const seen: string[] = [];
    for await (const event of run) {
      seen.push(event.type);
      if (event.type === "call") controller.abort();
    }
    expect(seen).toEqual(["user", "call", "metric", "interrupt", "cancelled"]);
  });

  it("while a tool runs aborts the tool's signal, and gives every call its result", async () => {
    const store = memoryStore();
    const controller = new AbortController();
    const provider = scripted([block(["echo", { text: "x" }], ["endless", {}])]);
    const agent = createAgent({ provider, tools: [echo, endless], store });
    agent.on("tool_started", ({ name }) => {
      // Calls begin at one moment: the abort comes after the first one has ended.
      if (name === "endless") setImmediate(() => controller.abort());
    });
    const run = agent.run("go", { conversation, signal: controller.signal });
    expect(types(await collect(run)).slice(-4)).toEqual(["result", "metric", "interrupt", "cancelled"]);
    expect((await resultsIn(store))[0]?.map(({ status }) => status)).toEqual(["success", "failure"]);
  });

  it("does not wait for a provider that ignores its signal", async () => {
    const controller = new AbortController();
    const provider: Provider = {
      ...scripted([]),
      async *stream() {
        yield { type: "text", text: "Hel" };
        controller.abort();
        await new Promise(() => {});
      },
    };
    const run = createAgent({ provider }).run("go", { signal: controller.signal });
    expect(types(await collect(run))).toEqual(["user", "respond", "metric", "interrupt", "cancelled"]);
  });

  it("does not wait for a provider that hangs after its answer", async () => {
    const provider: Provider = {
      ...scripted([]),
      async *stream(request) {
        yield { type: "text", text: request.messages.length === 1 ? block(["echo", { text: "x" }]) : "ok<end>" };
        await new Promise(() => {});
      },
    };
    const agent = createAgent({ provider, tools: [echo], driver: protocolDriver({ grace: 5 }) });
    expect(await agent.run("go").result).toMatchObject({ status: "completed", text: "ok", usage: { estimated: true } });
  });

  it("does not wait for a provider whose iterator never returns", async () => {
    const provider: Provider = {
      ...scripted([]),
      async *stream() {
        try {
          for (;;) yield { type: "text", text: "more " };
        } finally {
          await new Promise(() => {});
        }
      },
    };
    for await (const event of createAgent({ provider }).run("go", { stream: "token" })) {
      if (event.type === "respond") break;
    }
  });

  it.each(["call", "execute"])("leaving at `%s` gives the stored calls their results", async (type) => {
    const store = memoryStore();
    const provider = scripted([block(["endless", {}])]);
    const run = createAgent({ provider, tools: [endless], store }).run("go", { conversation });
    for await (const event of run) if (event.type === type) break;
    const log = await store.load({ conversation });
    expect(types(log.filter(({ type }) => type !== "record"))).toEqual(["user", "call", "result", "cancelled"]);
    expect(await resultsIn(store)).toEqual([
      [{ tool: "endless", status: "failure", content: "endless was cancelled before it began." }],
    ]);
  });

  it("leaving the loop early cancels the run", async () => {
    const store = memoryStore();
    let aborted = false;
    const provider: Provider = {
      ...scripted([]),
      async *stream(_, options) {
        options?.signal?.addEventListener("abort", () => {
          aborted = true;
        });
        for (;;) yield { type: "text", text: "more " };
      },
    };
    const run = createAgent({ provider, store }).run("go", { conversation, stream: "token" });
    let pieces = 0;
    for await (const event of run) if (event.type === "respond" && ++pieces === 3) break;
    expect(aborted).toBe(true);
    expect(types(await store.load({ conversation }))).toEqual(["record", "user", "respond", "record", "cancelled"]);
    const result = await run.result;
    expect(result).toMatchObject({ status: "stopped", stop: { reason: "user_requested" }, usage: { estimated: true } });
    expect(result).not.toHaveProperty("error");
  });

  it("at any event leaves a log that the next run continues", async () => {
    const script = [`<think>a</think>b${block(["echo", { text: "x" }], ["endless", {}])}`, "<think>c</think>done<end>"];
    for (let at = 0; ; at++) {
      const store = memoryStore();
      const controller = new AbortController();
      const quick = { ...endless, execute: () => "over" };
      const agent = createAgent({ provider: scripted(script, { chunkSize: 4 }), tools: [echo, quick], store });
      let seen = 0;
      for await (const _ of agent.run("go", { conversation, stream: "token", signal: controller.signal })) {
        if (seen++ === at) controller.abort();
      }
      const messages = toMessages(await store.load({ conversation }), { form: "json" });
      expect(messages.at(-1)?.role).toBe("user");
      const next = scripted(["fine"]);
      expect(
        await createAgent({ provider: next, tools: [echo], store }).run("more", { conversation }).result,
      ).toMatchObject({ text: "fine" });
      expect(next.requests[0]?.messages.at(-1)).toEqual({ role: "user", content: "more" });
      if (!controller.signal.aborted) break;
    }
  });
});
