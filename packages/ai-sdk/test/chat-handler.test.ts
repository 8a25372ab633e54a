import { defineTool } from "@cogency/agent";
import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../src/chat/index.ts";
import { chatSite, replied, said } from "./support/chat-site.ts";
import { judged } from "./support/judge.ts";

const refund = () => {
  const calls: unknown[] = [];
  const tool = defineTool({
    name: "refund",
    description: "Refunds an order.",
    input: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
    approval: "ask",
    execute: ({ order }) => {
      calls.push(order);
      return `refunded ${order}`;
    },
  });
  return { tool, calls };
};
const calling = '<execute>[{"name":"refund","args":{"order":"A1"}}]</execute>';

describe("the answer to words", () => {
  it("is a stream whose message is that of the history", async () => {
    const site = chatSite({ steps: ["<think>Who is it?</think>Hello, <b>Ada</b>.<end>"] });
    const chunks = await site.post(said("Hi."));
    const message = await judged<ChatMessage>(chunks);
    expect(message?.parts).toMatchObject([
      { type: "step-start" },
      { type: "reasoning", text: "Who is it?", state: "done" },
      { type: "text", text: "Hello, <b>Ada</b>.", state: "done" },
    ]);
    expect(message?.metadata).toMatchObject({ status: "completed", usage: { output: expect.any(Number) } });
    expect(await site.history("c")).toEqual([
      { id: "m1", role: "user", parts: [{ type: "text", text: "Hi." }] },
      message,
    ]);
  });

  it("comes again for words that are posted again, without another turn", async () => {
    const site = chatSite({ steps: ["Hello.<end>"] });
    const first = await judged(await site.post(said("Hi.")));
    expect(await judged(await site.post(said("Hi.")))).toEqual(first);
    const changed = await site.postAny(said("Bye."));
    expect([changed.status, await changed.text()]).toEqual([409, expect.stringContaining("Send a new one.")]);
    expect(site.provider.requests).toHaveLength(1);
  });

  it("is an error in words for people if the run fails, and goes on when it is asked for again", async () => {
    const error = new Error("key sk-1 at 10.0.0.1");
    const site = chatSite({ steps: [{ chunks: ["Hel", "lo"], error }, "Hello again.<end>"] });
    const chunks = await site.post(said("Hi."));
    expect(chunks.find(({ type }) => type === "error")).toMatchObject({
      errorText: expect.stringMatching(/^The .*\.$/),
    });
    expect(chunks.at(-1)).toMatchObject({ type: "finish", finishReason: "error" });
    expect(JSON.stringify([chunks, await site.history("c")])).not.toMatch(/sk-1|10\.0/);
    expect(site.errors).toHaveLength(1);
    const again = await judged<ChatMessage>(await site.post(said("Hi.", { trigger: "regenerate-message" })));
    expect(again?.parts.at(-1)).toMatchObject({ text: "Hello again." });
    expect(await site.history("c")).toEqual([expect.objectContaining({ id: "m1" }), again]);
  });

  it("that is complete is followed by another one when it is asked for again: nothing is rewritten", async () => {
    const site = chatSite({ steps: ["One.<end>", "Two.<end>", "Three.<end>"] });
    const again = (message = "m1") => site.post(said("Never read.", { message, trigger: "regenerate-message" }));
    await site.post(said("Say a number."));
    expect((await judged<ChatMessage>(await again()))?.parts.at(-1)).toMatchObject({ text: "Two." });
    expect((await judged<ChatMessage>(await again()))?.parts.at(-1)).toMatchObject({ text: "Three." });
    const users = (await site.history("c")).filter(({ role }) => role === "user");
    expect(users.map(({ id, parts }) => [id, parts])).toEqual(
      ["m1", "m1~1", "m1~2"].map((id) => [id, [{ type: "text", text: "Say a number." }]]),
    );
  });

  it("that is not the last one is not given again", async () => {
    const site = chatSite({ steps: ["One.<end>", "Two.<end>"] });
    await site.post(said("First."));
    await site.post(said("Second.", { message: "m2" }));
    const { status, headers } = await site.postAny(said("First.", { trigger: "regenerate-message" }));
    expect([status, headers.get("x-error-code")]).toEqual([409, "conflict"]);
  });

  it("follows words that had never arrived", async () => {
    const site = chatSite({ steps: ["One.<end>"] });
    const chunks = await site.post(said("First.", { trigger: "regenerate-message" }));
    expect((await judged<ChatMessage>(chunks))?.parts.at(-1)).toMatchObject({ text: "One." });
  });
});

describe("an approval", () => {
  it("ends the stream, counts once it comes back, and goes on in the same message", async () => {
    const { tool, calls } = refund();
    const site = chatSite({ steps: [calling, "Done.<end>"], tools: [tool] });
    const asked = await judged<ChatMessage>(await site.post(said("Refund A1.")));
    const part = asked?.parts.at(-1);
    expect(part).toMatchObject({ type: "tool-refund", state: "approval-requested", input: { order: "A1" } });
    expect(await site.history("c")).toEqual([expect.anything(), asked]);
    expect(calls).toEqual([]);

    const answered = respond(asked, true);
    const chunks = await site.post(replied(answered), answered);
    expect(chunks[0]).toEqual({ type: "start", messageId: asked?.id });
    const done = await judged(chunks, answered);
    expect(done?.parts.at(-1)).toMatchObject({ type: "text", text: "Done." });
    expect(calls).toEqual(["A1"]);
    expect((await site.history("c")).at(-1)).toEqual(done);

    const again = await judged(await site.post(replied(answered), answered), answered);
    expect(again).toEqual(done);
    expect(calls).toEqual(["A1"]);
  });

  it("that is denied reaches the model with its reason", async () => {
    const { tool, calls } = refund();
    const site = chatSite({ steps: [calling, "All right.<end>"], tools: [tool] });
    const answered = respond(await judged<ChatMessage>(await site.post(said("Refund A1."))), false, "Too much.");
    const done = await judged(await site.post(replied(answered), answered), answered);
    expect(done?.parts).toContainEqual(expect.objectContaining({ state: "output-denied" }));
    expect(JSON.stringify(site.provider.requests[1])).toContain("Too much.");
    expect((await site.history("c")).at(-1)).toEqual(done);
    expect(calls).toEqual([]);
  });

  it("is given up for new words", async () => {
    const { tool, calls } = refund();
    const site = chatSite({ steps: [calling, "What else?<end>"], tools: [tool] });
    await site.post(said("Refund A1."));
    const message = await judged<ChatMessage>(await site.post(said("Leave it.", { message: "m2" })));
    expect(message?.parts.at(-1)).toMatchObject({ text: "What else?" });
    const [, first] = await site.history("c");
    expect(first).toMatchObject({ metadata: { status: "cancelled" }, parts: [{}, { state: "output-denied" }] });
    expect(calls).toEqual([]);
  });
});

describe("a tool that asks a person", () => {
  it("is a part data-question, answered beside the messages", async () => {
    const book = defineTool({
      name: "book",
      description: "Books a table.",
      input: { type: "object" },
      asks: true,
      execute: async (_, { ask }) =>
        `booked for ${await ask({ message: "For how many?", schema: { type: "integer" } })}`,
    });
    const site = chatSite({ steps: ['<execute>[{"name":"book","args":{}}]</execute>', "Done.<end>"], tools: [book] });
    const asked = await judged<ChatMessage>(await site.post(said("Book.")));
    const question = asked?.parts.find((part) => part.type === "data-question");
    expect(question?.data).toMatchObject({ asks: "answer", state: "open", message: "For how many?", toolName: "book" });
    const answers = [{ question: question?.data.id, content: 4 }];
    const done = await judged(await site.post(replied(asked, { answers }), asked), asked);
    expect(done?.parts).toContainEqual(expect.objectContaining({ output: "booked for 4" }));
    expect((await site.history("c")).at(-1)).toEqual(done);
  });
});

describe("a tool of the page", () => {
  const tools = [
    {
      name: "add",
      description: "Adds.",
      parameters: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
    },
  ];
  const adding = '<execute>[{"name":"add","args":{"a":1}}]</execute>';

  it.each([
    [{ state: "output-available", output: { sum: 3 } }, { output: { sum: 3 } }],
    [{ state: "output-error", errorText: "No numbers." }, { errorText: "No numbers." }],
  ])("is called by it, and goes on with %j", async (came, expected) => {
    const site = chatSite({ steps: [adding, "Done.<end>"] });
    const chunks = await site.post(said("Add.", { tools }));
    expect(chunks.findLast(({ type }) => type === "tool-input-available")).toMatchObject({ providerExecuted: false });
    const asked = await judged<ChatMessage>(chunks);
    expect(asked?.parts.at(-1)).toMatchObject({ type: "tool-add", state: "input-available", providerExecuted: false });
    expect(await site.history("c")).toEqual([expect.anything(), asked]);
    const answered = withPart(asked, came);
    const done = await judged(await site.post(replied(answered), answered), answered);
    expect(done?.parts).toContainEqual(expect.objectContaining({ type: "tool-add", ...expected }));
    expect(done?.parts.at(-1)).toMatchObject({ text: "Done." });
    expect((await site.history("c")).at(-1)).toEqual(done);
  });
});

/** As `addToolApprovalResponse` of `useChat` does. */
function respond(message: ChatMessage | undefined, approved: boolean, reason?: string): ChatMessage {
  return withPart(message, { state: "approval-responded" }, { approved, ...(reason !== undefined && { reason }) });
}

/** The message with other fields in its last part. */
function withPart(message: ChatMessage | undefined, fields: object, approval?: object): ChatMessage {
  if (!message) throw new Error("There is no message.");
  const copy = structuredClone(message);
  const part = copy.parts.at(-1) as { approval?: object };
  Object.assign(part, fields, approval && { approval: { ...part.approval, ...approval } });
  return copy;
}
