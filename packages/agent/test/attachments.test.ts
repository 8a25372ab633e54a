import type { Attachment, LogEvent } from "@cogency/protocol";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore, redactingStore } from "@cogency/storage";
import { createKeyRing, defineTool, withAttachments } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { createAgent } from "../src/create-agent.ts";
import { nativeDriver } from "../src/native.ts";
import { block, collect, conversation } from "./support/fixtures.ts";

// The base64 text looks like a key: whoever reads it as text hides it.
const key = `ghp_${"a1B2".repeat(9)}`;
const picture: Attachment = {
  kind: "image",
  mediaType: "image/png",
  data: `${key.replaceAll("_", "/")}`,
  name: "a.png",
};
const page: Attachment = { kind: "file", mediaType: "application/pdf", data: { url: "https://example.com/a.pdf" } };
const look = defineTool({
  name: "look",
  description: "Show a picture.",
  input: { type: "object", properties: {} },
  annotations: { readOnlyHint: true, openWorldHint: true },
  execute: () => withAttachments("a picture", [picture]),
});

function model(steps: readonly ScriptedStep[], attachments: readonly Attachment["kind"][] = ["image", "file"]) {
  return scripted(steps, { capabilities: { tools: true, attachments } });
}

const userEvents = (log: readonly LogEvent[]) => log.filter((event) => event.type === "user");

describe("a prompt with attachments", () => {
  it("is stored, given to the consumer, and sent to the model", async () => {
    const provider = model(["A picture.<end>"]);
    const store = redactingStore(memoryStore());
    const run = createAgent({ provider, store }).run({ text: "what?", attachments: [picture, page] }, { conversation });
    const events = await collect(run);
    expect(events[0]).toMatchObject({ type: "user", content: "what?", attachments: [picture, page] });
    expect(userEvents(await store.load({ conversation }))).toMatchObject([{ attachments: [picture, page] }]);
    expect(provider.requests[0]?.messages).toEqual([
      { role: "user", content: [{ kind: "text", text: "what?" }, picture, page] },
    ]);
  });

  it("stays the string that it was where it has none", async () => {
    const provider = model(["Hm.<end>"]);
    const store = memoryStore();
    await createAgent({ provider, store }).ask({ text: "go", attachments: [] }, { conversation });
    expect(provider.requests[0]?.messages).toEqual([{ role: "user", content: "go" }]);
    expect(userEvents(await store.load({ conversation }))[0]).not.toHaveProperty("attachments");
  });

  it.each([
    [{ text: "go", attachments: [{ ...picture, data: "?" }] }, TypeError, "not base64 text"],
    [{ text: "go", attachments: [picture] }, RangeError, "at most 9 are allowed"],
    [{ attachments: [picture] }, TypeError, "The prompt is an object; give a string"],
    [{ text: "go", files: [picture] }, TypeError, "`files` is not a part of a prompt"],
    [null, TypeError, "give a string, or { text, attachments }"],
  ])("is refused at once where it is malformed: %j", (prompt, kind, why) => {
    const agent = createAgent({ provider: model([]), attachments: { maxBytes: 9 } });
    expect(() => agent.run(prompt as never)).toThrow(kind);
    expect(() => agent.run(prompt as never)).toThrow(why);
  });

  it("that the model does not take fails the run before anything is stored or asked", async () => {
    const store = memoryStore();
    const provider = model([], ["image"]);
    const result = await createAgent({ provider, store }).ask({ text: "read", attachments: [page] }, { conversation });
    expect(result.error).toMatchObject({ code: "attachments" });
    expect(result.error?.message).toContain("scripted scripted-1 takes only image. Nothing was stored.");
    expect(await store.load({ conversation })).toEqual([]);
    expect(provider.requests).toEqual([]);
  });

  it("that would make each later request too large is refused, and the conversation goes on without it", async () => {
    const store = memoryStore();
    const provider = model(["One.<end>", "Two.<end>"]);
    const agent = createAgent({ provider, store, attachments: { maxRequestBytes: 50 } });
    const prompt = { text: "look", attachments: [picture] };
    expect((await agent.ask(prompt, { conversation })).status).toBe("completed");
    const second = await agent.ask(prompt, { conversation });
    expect(second.error).toMatchObject({ code: "attachments", message: expect.stringContaining("have 60 bytes") });
    expect((await agent.ask("go on", { conversation })).text).toBe("Two.");
  });

  it("that no person vouches for is untrusted with its attachments", async () => {
    const store = memoryStore();
    const agent = createAgent({ provider: model(["Hm.<end>"]), store });
    await agent.ask({ text: "", attachments: [picture] }, { conversation, untrusted: "piped input" });
    const log = await store.load({ conversation });
    expect(userEvents(log)).toMatchObject([{ origin: "untrusted", attachments: [picture] }]);
    expect(log).toContainEqual(
      expect.objectContaining({ kind: "content", data: { holds: "untrusted", source: "piped input" } }),
    );
  });

  it("cannot go on with a model that takes none", async () => {
    const store = memoryStore();
    await createAgent({ provider: model(["One.<end>"]), store }).ask(
      { text: "a", attachments: [picture] },
      { conversation },
    );
    const blind = model([], []);
    const { error } = await createAgent({ provider: blind, store }).ask("and?", { conversation });
    expect(error).toMatchObject({ code: "attachments", message: expect.stringContaining("takes no attachments") });
    expect(blind.requests).toEqual([]);
  });
});

describe("attachments of a result", () => {
  it.each([
    ["the text protocol", [block(["look", {}]), "A picture.<end>"], undefined],
    [
      "native calls",
      [{ events: [{ type: "tool_call", id: "c1", name: "look", arguments: "{}" }] }, "A picture."] as ScriptedStep[],
      nativeDriver(),
    ],
  ])("reach the model through %s, and stand once in the log", async (_, steps, driver) => {
    const provider = model(steps);
    const store = redactingStore(memoryStore());
    const ended: unknown[] = [];
    const agent = createAgent({ provider, store, tools: [look], driver });
    await agent.run("look", { conversation, on: (event) => event.type === "tool_ended" && ended.push(event.result) })
      .result;
    expect(ended).toMatchObject([{ content: "a picture", attachments: [picture] }]);
    const last = provider.requests[1]?.messages.at(-1);
    expect(last).toMatchObject(
      driver
        ? { role: "tool", results: [{ content: "a picture", attachments: [picture] }] }
        : { role: "user", content: [{ kind: "text", text: expect.stringContaining("<results>") }, picture] },
    );
    const log = await store.load({ conversation });
    const holding = log.filter((event) => JSON.stringify(event).includes(String(picture.data)));
    expect(holding).toMatchObject([{ type: "record", kind: "finished", data: { result: { attachments: [picture] } } }]);
    expect(log).toContainEqual(
      expect.objectContaining({ kind: "content", data: expect.objectContaining({ holds: "untrusted" }) }),
    );
  });

  it("that the model does not take are a failure of their call, which the model reads", async () => {
    const provider = model([block(["look", {}]), "No picture.<end>"], []);
    const result = await createAgent({ provider, tools: [look] }).ask("look", { conversation });
    expect(result).toMatchObject({ status: "completed", toolErrors: 1 });
    expect(provider.requests[1]?.messages.at(-1)?.role).toBe("user");
    expect(JSON.stringify(provider.requests[1]?.messages.at(-1))).toContain("The model takes no attachments");
  });

  it("are there again when a run goes on after a crash between the call and its results", async () => {
    const store = memoryStore();
    const events: LogEvent[] = [
      { type: "user", content: "look", timestamp: 1 },
      { type: "call", content: '{"name":"look","args":{}}', id: "c1", timestamp: 2 },
      { type: "record", kind: "started", data: { id: "c1" }, timestamp: 3 },
      {
        type: "record",
        kind: "finished",
        data: { id: "c1", result: { tool: "look", status: "success", content: "a picture", attachments: [picture] } },
        timestamp: 4,
      },
    ];
    const lease = await store.lease({ conversation }, { owner: "dead", ttl: 1000 });
    await store.append({ conversation }, events, { expected: 0, lease, batch: "b" });
    await lease.release();
    const provider = model(["A picture.<end>"]);
    await createAgent({ provider, store, tools: [look] }).recover({ conversation }).result;
    expect(provider.requests[0]?.messages.at(-1)).toMatchObject({ content: [{ kind: "text" }, picture] });
    const stored = (await store.load({ conversation })).find(({ type }) => type === "result");
    expect(stored).toMatchObject({ content: '[{"tool":"look","status":"success","content":"a picture"}]' });
  });
});

describe("a message with attachments", () => {
  const keyRing = createKeyRing(["k".repeat(32)]);

  it("is a turn of its own in the conversation", async () => {
    const store = memoryStore();
    const provider = model(["A picture.<end>"]);
    const agent = createAgent({ provider, store, keyRing });
    await agent.send({ conversation }, { kind: "prompt", content: "what?", attachments: [picture] });
    await agent.sweep();
    expect(userEvents(await store.load({ conversation }))).toMatchObject([
      { content: "what?", attachments: [picture] },
    ]);
    expect(provider.requests[0]?.messages).toEqual([
      { role: "user", content: [{ kind: "text", text: "what?" }, picture] },
    ]);
  });

  it("is refused by `send` where it is malformed", async () => {
    const agent = createAgent({ provider: model([]), keyRing });
    const attachments = [{ ...picture, data: "?" }];
    await expect(agent.send({ conversation }, { kind: "steer", content: "a", attachments })).rejects.toThrow(
      "not base64 text",
    );
  });

  it("that somebody else posted is untrusted, and refused where it is malformed or not taken", async () => {
    const store = memoryStore();
    const provider = model(["Hm.<end>"], ["image"]);
    const agent = createAgent({ provider, store, keyRing });
    const post = (id: string, attachments: unknown) =>
      store.post({ conversation }, { kind: "prompt", content: id, attachments: attachments as never }, { id });
    await post("bad", [{ kind: "image" }]);
    await post("file", [page]);
    await post("good", [picture]);
    await agent.sweep();
    const log = await store.load({ conversation });
    expect(userEvents(log)).toMatchObject([{ content: "good", origin: "untrusted", attachments: [picture] }]);
    const messages = log.flatMap((event) => (event.type === "record" && event.kind === "message" ? [event.data] : []));
    expect(messages).toContainEqual(
      expect.objectContaining({ id: "bad", refused: expect.stringContaining("mediaType") }),
    );
    expect(messages).toContainEqual(
      expect.objectContaining({ id: "file", refused: expect.stringContaining("only attachments") }),
    );
  });
});
