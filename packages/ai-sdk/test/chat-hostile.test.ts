import { Chat } from "@ai-sdk/react";
import { defineTool } from "@cogency/agent";
import { DefaultChatTransport, isToolUIPart, lastAssistantMessageIsCompleteWithToolCalls } from "ai";
import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../src/chat/index.ts";
import { chatSite, replied, said } from "./support/chat-site.ts";
import { judged } from "./support/judge.ts";
import { readStream } from "./support/read-stream.ts";

const refunding = '<execute>[{"name":"refund","args":{"order":"A1"}}]</execute>';
const adding = '<execute>[{"name":"add","args":{"a":1}}]</execute>';
const tools = [
  { name: "add", description: "Adds.", parameters: { type: "object", properties: { a: { type: "number" } } } },
];

/** A site whose agent has asked whether it may refund. */
async function asking(answer = "Done.<end>") {
  const calls: unknown[] = [];
  const tool = defineTool({
    name: "refund",
    description: "Refunds an order.",
    input: { type: "object", properties: { order: { type: "string" } } },
    approval: "ask",
    execute: ({ order }) => calls.push(order),
  });
  const site = chatSite({ steps: [refunding, answer], tools: [tool] });
  const asked = await judged<ChatMessage>(await site.post(said("Refund A1.")));
  const part = asked?.parts.find(isToolUIPart);
  const respond = (approved: boolean) => {
    const parts = asked?.parts.map((one) =>
      one === part ? { ...one, state: "approval-responded", approval: { id: part?.approval?.id, approved } } : one,
    );
    return replied({ ...asked, parts } as ChatMessage);
  };
  return { ...site, calls, asked, respond };
}

describe("a person who answers", () => {
  it("reads why an answer does not fit, and gives another one", async () => {
    const book = defineTool({
      name: "book",
      description: "Books a table.",
      input: { type: "object" },
      asks: true,
      execute: async (_, { ask }) => `booked for ${await ask({ message: "How many?", schema: { type: "integer" } })}`,
    });
    const site = chatSite({ steps: ['<execute>[{"name":"book","args":{}}]</execute>', "Done.<end>"], tools: [book] });
    const asked = await judged<ChatMessage>(await site.post(said("Book.")));
    const question = asked?.parts.find((part) => part.type === "data-question")?.data.id;
    const answer = (content: unknown) => site.post(replied(asked, { answers: [{ question, content }] }), asked);
    for (const wrong of ["four", "four", null, "five"])
      expect(await answer(wrong)).toContainEqual({
        type: "data-error",
        transient: true,
        data: { code: "refused", message: expect.stringContaining("integer") },
      });
    const done = await judged(await answer(4), asked);
    expect(done?.parts).toContainEqual(expect.objectContaining({ output: "booked for 4" }));
    expect((await site.history("c")).at(-1)).toEqual(done);
  });

  it("in two pages at once, otherwise in each, is heard once, and both pages end with the same message", async () => {
    const site = await asking();
    const both = await Promise.all([true, false].map((approved) => site.post(site.respond(approved), site.asked)));
    const messages = await Promise.all(both.map((chunks) => judged<ChatMessage>(chunks, site.asked)));
    expect(messages[1]).toEqual(messages[0]);
    expect((await site.history("c")).at(-1)).toEqual(messages[0]);
    // Either may be the first.
    const isRefunded = messages[0]?.parts.some((part) => isToolUIPart(part) && part.state === "output-available");
    expect(site.calls).toEqual(isRefunded ? ["A1"] : []);
  });

  it("when another page has ended the run reads why the answer does not count", async () => {
    const site = await asking();
    const { store } = site;
    const post = store.post.bind(store);
    store.post = async (key, message, options) => {
      if (message.kind === "approve") {
        await site.ask("/c/stream", { method: "DELETE" });
        await expect.poll(async () => (await site.history("c")).at(-1)?.metadata?.status).toBe("cancelled");
      }
      return post(key, message, options);
    };
    const chunks = await site.post(site.respond(true), site.asked);
    expect(chunks).toContainEqual(expect.objectContaining({ type: "data-error" }));
    expect(await judged(chunks, site.asked)).toEqual((await site.history("c")).at(-1));
    expect(chunks.at(-1)).toMatchObject({ type: "abort" });
    expect(site.calls).toEqual([]);
  });

  it("loses no question to words that are refused", async () => {
    const site = await asking();
    const file = { type: "file", mediaType: "image/png", url: "data:image/png;base64,###" };
    const messages = [{ id: "m2", role: "user", parts: [file] }];
    expect((await site.postAny({ id: "c", messages })).status).toBe(400);
    const done = await judged<ChatMessage>(await site.post(site.respond(true), site.asked), site.asked);
    expect(done?.metadata?.status).toBe("completed");
    expect(site.calls).toEqual(["A1"]);
  });
});

describe("a request that is refused for its limits", () => {
  it("has posted nothing, so that a second try is no second message", async () => {
    const site = chatSite({ steps: ["One.<end>", "Two.<end>"], limits: { streams: 1 } });
    const first = await site.postAny(said("Hi."));
    const refused = await site.postAny(said("And?", { message: "m2" }));
    expect([refused.status, refused.headers.get("x-error-code")]).toEqual([429, "too_many_streams"]);
    await readStream(first);
    const key = { conversation: "c", user: "ada" };
    expect(await site.store.inbox(key)).toEqual([]);
    expect(JSON.stringify(await site.store.load(key))).not.toContain("And?");
  });

  it("has left its place as a stream, where its message was refused", async () => {
    const site = chatSite({ steps: ["One.<end>", "Two.<end>"], limits: { streams: 1, conversations: 1 } });
    await site.post(said("Hi."));
    for (const id of ["d", "e"]) {
      const refused = await site.postAny(said("Hi.", { id }));
      expect([refused.status, refused.headers.get("x-error-code")]).toEqual([429, "too_many_conversations"]);
    }
    expect((await site.post(said("And?", { message: "m2" }))).at(-1)).toMatchObject({ finishReason: "stop" });
  });
});

describe("an id of the page", () => {
  it("under which other files come is refused, and the same files get the same answer", async () => {
    const site = chatSite({ steps: ["Nice.<end>"] });
    const withFile = (data: string) => {
      const file = { type: "file", mediaType: "image/png", url: `data:image/png;base64,${data}` };
      return { id: "c", messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "Look." }, file] }] };
    };
    const first = await site.post(withFile("iVBORw0KGgo="));
    expect(await judged(await site.post(withFile("iVBORw0KGgo=")))).toEqual(await judged(first));
    expect((await site.postAny(withFile("iVBORw0KGgoA"))).status).toBe(409);
  });

  it.each(["1", "2", "3", "4", "5"])("that counts up from %s is no id of an answer", async (start) => {
    const site = chatSite({ steps: Array(4).fill("Yes.<end>") });
    let refused = 0;
    for (let at = 0; at < 4; at++) {
      const response = await site.postAny(said("Hi.", { message: `${Number(start) + at}` }));
      await (response.status === 409 ? response.text() : readStream(response));
      refused += Number(response.status === 409);
    }
    const ids = (await site.history("c")).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(2 * (4 - refused));
  });

  it("that is as long as others lets new words take the place of a question, again and again", async () => {
    const tool = defineTool({
      name: "refund",
      description: "",
      input: { type: "object" },
      approval: "ask",
      execute: () => "",
    });
    const site = chatSite({ steps: [refunding, refunding, refunding, "Well.<end>"], tools: [tool] });
    const long = "x".repeat(127);
    for (const end of ["1", "2", "3"]) {
      const chunks = await site.post(said("Refund.", { message: `${long}${end}` }));
      expect(chunks.at(-1)).toMatchObject({ finishReason: "tool-calls" });
    }
    const last = await site.post(said("Leave it.", { message: `${long}4` }));
    expect(await judged(last)).toMatchObject({ parts: [{}, { text: "Well." }] });
  });
});

describe("a tool of the page", () => {
  it("comes with a regenerated turn, too", async () => {
    const site = chatSite({ steps: ["No tool.<end>", adding] });
    await site.post(said("Add."));
    const chunks = await site.post(said("Add.", { trigger: "regenerate-message", tools }));
    expect(chunks.at(-1)).toMatchObject({ finishReason: "tool-calls" });
  });

  it("whose output comes after the run was stopped makes the page ask once more, and not for ever", async () => {
    const site = chatSite({ steps: [adding] });
    let requests = 0;
    const fetch = async (...request: ConstructorParameters<typeof Request>) => {
      requests++;
      if (requests > 20) throw new Error("The page asks for ever.");
      return site.handler(new Request(...request));
    };
    const transport = new DefaultChatTransport<ChatMessage>({ api: "http://site/api/chat", fetch: fetch as never });
    const sendAutomaticallyWhen = lastAssistantMessageIsCompleteWithToolCalls;
    const chat = new Chat<ChatMessage>({ id: "c", transport, sendAutomaticallyWhen });
    await chat.sendMessage({ text: "Add." }, { body: { tools } });
    const toolCallId = chat.lastMessage?.parts.find(isToolUIPart)?.toolCallId ?? "";
    expect((await site.ask("/c/stream", { method: "DELETE" })).status).toBe(204);
    await expect.poll(async () => (await site.history("c")).at(-1)?.metadata?.status).toBe("cancelled");
    await chat.addToolOutput({ tool: "add", toolCallId, output: 3 });
    await expect.poll(async () => requests > 1 && chat.status).toBe("ready");
    expect(requests).toBe(2);
    expect(chat.lastMessage?.parts).toEqual((await site.history("c")).at(-1)?.parts);
  });
});
