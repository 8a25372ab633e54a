import { type Provider, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { createAgent } from "../src/create-agent.ts";
import { protocolDriver } from "../src/drivers/protocol-driver.ts";
import { collect, conversation, echo, types } from "./support/fixtures.ts";

/** A block whose string holds a raw line break, which JSON forbids. */
const brokenLine = '<execute>[{"name":"echo","args":{"text":"a\nb"}}]</execute>';

describe("with `repair`, a block that has one lossless reading", () => {
  it("runs, and says that it was repaired", async () => {
    const store = memoryStore();
    const provider = scripted([brokenLine, "ok"]);
    const agent = createAgent({ provider, tools: [echo], store, driver: protocolDriver({ repair: true }) });
    const events = await collect(agent.run("go", { conversation }));
    expect(types(events)).toEqual(["user", "call", "execute", "result", "metric", "respond", "metric"]);
    expect(events[2]).toMatchObject({ type: "execute", repaired: true });
    expect(await store.load({ conversation }, { types: ["call"] })).toMatchObject([
      { content: String.raw`{"name":"echo","args":{"text":"a\nb"}}` },
    ]);
    expect(provider.requests[1]?.messages).toContainEqual({
      role: "assistant",
      content: expect.stringContaining(String.raw`{"name":"echo","args":{"text":"a\nb"}}`),
    });
  });

  it("is not the answer as the model wrote it: its native blocks are not stored", async () => {
    const text = String.raw`<execute>[{"name":"echo","args":{"text":"a\nb"}}]</execute>`;
    const nativeRecords = async (block: string) => {
      const store = memoryStore();
      const provider = withNative(block);
      const agent = createAgent({ provider, tools: [echo], store, driver: protocolDriver({ repair: true }) });
      await agent.run("go", { conversation }).result;
      const records = await store.load({ conversation }, { types: ["record"] });
      return records.filter((record) => record.type === "record" && record.kind === "native").length;
    };
    expect(await nativeRecords(text)).toBe(2);
    expect(await nativeRecords(brokenLine)).toBe(1);
  });

  it("is refused without the option", async () => {
    const agent = createAgent({ provider: scripted([brokenLine, "Sorry."]), tools: [echo] });
    expect(types(await collect(agent.run("go")))).toEqual(["user", "error", "metric", "respond", "metric"]);
  });
});

describe('with `startIn: "think"`, an answer', () => {
  const answer = "It is small.</think>Yes.";

  it("begins inside of thinking", async () => {
    const agent = createAgent({ provider: scripted([answer]), driver: protocolDriver({ startIn: "think" }) });
    expect(await collect(agent.run("go"))).toMatchObject([
      { type: "user" },
      { type: "think", content: "It is small." },
      { type: "respond", content: "Yes." },
      { type: "metric" },
    ]);
  });

  it("begins inside of thinking in every step", async () => {
    const provider = scripted([`A.</think>${brokenLine}`, "B.</think>Done."]);
    const driver = protocolDriver({ startIn: "think", repair: true });
    const events = await collect(createAgent({ provider, tools: [echo], driver }).run("go"));
    expect(types(events)).toEqual([
      ...["user", "think", "call", "execute", "result", "metric"],
      ...["think", "respond", "metric"],
    ]);
  });
});

/** A provider whose answers, a block and then a text, have native blocks. */
function withNative(block: string): Provider {
  const answers = [block, "ok"];
  return {
    ...scripted([]),
    async *stream() {
      yield { type: "text", text: answers.shift() ?? "" };
      yield { type: "finish", reason: "stop", native: { signed: true } };
    },
  };
}
