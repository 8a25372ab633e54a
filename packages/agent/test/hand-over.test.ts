import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { createKeyRing, defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { createAgent } from "../src/index.ts";
import { block, conversation } from "./support/fixtures.ts";

const keyRing = createKeyRing(["a ring that several machines have in common"]);

describe("a run that is asked to hand over", () => {
  it("ends its step, starts no other, and another run goes on where it stopped", async () => {
    const handOver = new AbortController();
    const store = memoryStore();
    const slow = defineTool({
      name: "slow",
      description: "Works on while the process is told to end.",
      input: { type: "object" },
      async execute(_, { signal }) {
        handOver.abort();
        await new Promise((resolve) => setTimeout(resolve, 20));
        return signal.aborted ? "broken off" : "whole";
      },
    });
    const provider = scripted([block(["slow", {}])]);
    const first = await createAgent({ provider, store, keyRing, tools: [slow] }).ask("go", {
      conversation,
      handOver: handOver.signal,
    });
    expect(first).toMatchObject({ status: "stopped", stop: { reason: "time_limit", context: { handedOver: true } } });
    provider.assertDone();
    const next = scripted(["Done."]);
    const second = await createAgent({ provider: next, store, keyRing, tools: [slow] }).recover({ conversation })
      .result;
    expect(second).toMatchObject({ status: "completed", text: "Done." });
    const log = await store.load({ conversation });
    expect(log.flatMap((event) => (event.type === "result" ? [event.content] : []))).toEqual([
      expect.stringContaining("whole"),
    ]);
    expect(log.filter(({ type }) => type === "user")).toHaveLength(1);
  });

  it("makes no request if it was asked before it began", async () => {
    const provider = scripted([]);
    const store = memoryStore();
    const agent = createAgent({ provider, store, keyRing });
    const result = await agent.ask("go", { conversation, handOver: AbortSignal.abort() });
    expect(result).toMatchObject({ status: "stopped", stop: { reason: "time_limit" } });
    expect(provider.requests).toEqual([]);
    expect((await store.load({ conversation })).map(({ type }) => type)).toContain("user");
  });
});

describe("recover with `leaveCancelled`", () => {
  it("leaves a conversation that was cancelled, unless a prompt waits", async () => {
    const store = memoryStore();
    const provider = scripted(["Hello.", "Again."]);
    const agent = createAgent({ provider, store, keyRing });
    await store.append({ conversation }, [
      { type: "user", content: "go", timestamp: 1 },
      { type: "cancelled", timestamp: 2 },
    ]);
    const left = await agent.recover({ conversation, leaveCancelled: true }).result;
    expect(left).toMatchObject({ status: "stopped", stop: { reason: "user_requested" } });
    expect(provider.requests).toEqual([]);
    await agent.send({ conversation }, { kind: "prompt", content: "again" });
    expect(await agent.recover({ conversation, leaveCancelled: true }).result).toMatchObject({ text: "Hello." });
  });
});
