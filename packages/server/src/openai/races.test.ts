import { type Agent, defineTool } from "@cogency/agent";
import { type Key, memoryStore, type Store } from "@cogency/storage";
import type OpenAI from "openai";
import { describe, expect, it, vi } from "vitest";
import { add, calling, openaiSite } from "../../test/support/openai-site.ts";

const model = "agent";
const tools = [{ type: "function" as const, strict: false, ...add }];
const chatTools = [{ type: "function" as const, function: add }];
type Messages = OpenAI.ChatCompletionMessageParam[];

/** A tool that waits until `open` is called. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<string>();
  const tool = defineTool({
    name: "wait",
    description: "Waits.",
    input: { type: "object" },
    execute: () => promise,
  });
  return { tool, open: () => resolve("waited") };
}

/** Takes longer than a cancel that was begun before. */
async function sendTitles(agent: Agent, key: Key): Promise<void> {
  for (const content of ["One", "Two", "Three"]) await agent.send(key, { kind: "title", content });
}

/** What was ever posted to a conversation. */
async function kindsOf(store: Store, key: Key): Promise<string[]> {
  const waiting = (await store.inbox(key)).map(({ message }) => message.kind);
  const read = (await store.load(key)).flatMap((event) =>
    event.type === "record" && event.kind === "message" ? event.data.kind : [],
  );
  return [...waiting, ...read];
}

describe("requests at the same time", () => {
  it("go on from one response separately", async () => {
    const { ada, provider, store } = openaiSite({ steps: ["One.", "Two.", "Three.", "Four."] });
    const { id } = await ada.responses.create({ model, input: "A" });
    const words = ["B", "C", "D"];
    const responses = await Promise.all(
      words.map((input) => ada.responses.create({ model, input, previous_response_id: id })),
    );
    expect(new Set(responses.map((response) => response.output_text))).toEqual(new Set(["Two.", "Three.", "Four."]));
    const read = provider.requests
      .slice(1)
      .map(({ messages }) => messages.map((message) => ("content" in message ? message.content : "")).join(" "));
    expect(read.toSorted()).toEqual(words.map((word) => `A One. ${word}`));
    expect(await store.conversations({ user: "ada" })).toHaveLength(3);
  });

  it("begin one conversation with the history of the first, and none is refused", async () => {
    const { ada, store } = openaiSite({ steps: ["One.", "Two.", "Three."] });
    const messages = (content: string): Messages => [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hello." },
      { role: "user", content },
    ];
    const completions = await Promise.all(
      ["A", "B", "C"].map((words) =>
        ada.chat.completions.create(
          { model, messages: messages(words), metadata: { conversation: "shared" } },
          { maxRetries: 0 },
        ),
      ),
    );
    expect(completions.map(({ choices }) => choices[0]?.message.content)).toEqual(["One.", "Two.", "Three."]);
    const log = await store.load({ conversation: "shared", user: "ada" });
    expect(log.flatMap((event) => (event.type === "user" ? event.content : []))).toEqual(["Hi", "A", "B", "C"]);
  });

  it("bring the results of one call once", async () => {
    const { ada, provider } = openaiSite({ steps: [calling("add", { a: 1, b: 2 }), "It is 3."] });
    const first = await ada.responses.create({ model, input: "Add.", tools, conversation: "sums" });
    const call = first.output.find((item) => item.type === "function_call");
    const output = { type: "function_call_output" as const, call_id: call?.call_id ?? "", output: "3" };
    const both = await Promise.allSettled(
      [1, 2].map(() => ada.responses.create({ model, input: [output], conversation: "sums" })),
    );
    expect(both.map((one) => (one.status === "fulfilled" ? one.value.output_text : one.reason))).toEqual([
      "It is 3.",
      expect.objectContaining({ status: 400, code: "tool_call_not_found", param: "input[0]" }),
    ]);
    expect(provider.requests).toHaveLength(2);
  });

  it("tell a client whose results another process has settled first what is wrong, and not that the server failed", async () => {
    const store = memoryStore();
    const { ada, agent } = openaiSite({ steps: [calling("add", { a: 1, b: 2 }), "It is 3."], store });
    const first = await ada.responses.create({ model, input: "Add.", tools, conversation: "sums" });
    const call = first.output.find((item) => item.type === "function_call");
    const key = { conversation: "sums", user: "ada" };
    const waiting = await agent.recover(key).result;
    const [question] = waiting.status === "waiting" ? waiting.waiting : [];
    // Another process answers between what this one reads and what it posts.
    const { inbox } = store;
    let answered = false;
    const late: typeof store = {
      ...store,
      async inbox(asked) {
        const messages = await inbox(asked);
        if (!answered) {
          answered = true;
          await agent.send(key, { kind: "answer", question: question?.question ?? "", content: { output: "4" } });
        }
        return messages;
      },
    };
    const other = openaiSite({ store: late, agent: { store }, steps: ["It is 4."] });
    const output = { type: "function_call_output" as const, call_id: call?.call_id ?? "", output: "3" };
    await expect(other.ada.responses.create({ model, input: [output], conversation: "sums" })).rejects.toMatchObject({
      status: 400,
      code: "refused",
    });
    expect(other.errors).toEqual([]);
  });
});

describe("results of calls", () => {
  it("go on where a limit has stopped the client halfway", async () => {
    const three = {
      events: [1, 2, 3].map((b) => ({
        type: "tool_call" as const,
        id: `c${b}`,
        name: "add",
        arguments: `{"a":1,"b":${b}}`,
      })),
    };
    const { ada, provider, store } = openaiSite({ steps: [three, "All."], options: { limits: { waiting: 2 } } });
    const first = await ada.chat.completions.create({
      model,
      messages: [{ role: "user", content: "Add." }],
      tools: chatTools,
    });
    const calls = first.choices[0]?.message.tool_calls ?? [];
    const messages: Messages = [
      { role: "user", content: "Add." },
      { role: "assistant", tool_calls: calls },
      ...calls.map(({ id }, index) => ({ role: "tool" as const, tool_call_id: id, content: `${index + 2}` })),
    ];
    const ask = () => ada.chat.completions.create({ model, messages, tools: chatTools }, { maxRetries: 0 });
    await expect(ask()).rejects.toMatchObject({ status: 429 });
    const [{ conversation = "" } = {}] = await store.conversations({ user: "ada" });
    await expect.poll(async () => (await store.inbox({ conversation, user: "ada" })).length).toBe(0);
    const answer = await ask();
    expect(answer.choices[0]?.message.content).toBe("All.");
    expect(provider.requests).toHaveLength(2);
  });
});

describe("a client that leaves", () => {
  it("late, after its turn has ended, does not end the turn of another request", async () => {
    const { tool, open } = gate();
    const { ask, store, agent } = openaiSite({
      steps: [{ chunks: Array.from({ length: 60 }, () => "so ".repeat(8000)) }, calling("wait", {}), "Two."],
      tools: [tool],
    });
    const key = { conversation: "shared", user: "ada" };
    const body = { model, input: "A", conversation: "shared", stream: true };
    const reader = (await ask("/responses", body)).body?.getReader();
    await reader?.read();
    const replies = async () => (await store.load(key)).filter(({ type }) => type === "respond").length;
    await expect.poll(replies).toBe(1);
    const second = ask("/responses", { ...body, input: "B", stream: false });
    await expect.poll(async () => (await store.load(key)).some(({ type }) => type === "call")).toBe(true);
    await reader?.cancel();
    await sendTitles(agent, key);
    open();
    expect(await (await second).json()).toMatchObject({ status: "completed" });
    expect(await kindsOf(store, key)).not.toContain("cancel");
  });

  it("while it waits behind the request that began the conversation, does not end that one", async () => {
    const { tool, open } = gate();
    const { ada, store, agent } = openaiSite({ steps: [calling("wait", {}), "One.", "Two."], tools: [tool] });
    const key = { conversation: "shared", user: "ada" };
    const leaving = new AbortController();
    const [first, second] = ["A", "B"].map((input, index) =>
      ada.responses.create(
        { model, input, conversation: "shared" },
        { maxRetries: 0, ...(index === 1 && { signal: leaving.signal }) },
      ),
    );
    second?.catch(() => {});
    await expect.poll(async () => (await store.load(key)).some(({ type }) => type === "call")).toBe(true);
    await expect.poll(async () => (await store.inbox(key)).length).toBe(1);
    leaving.abort();
    await expect(second).rejects.toThrow();
    await sendTitles(agent, key);
    open();
    expect((await first)?.output_text).toBe("One.");
    expect(await kindsOf(store, key)).not.toContain("cancel");
  });

  it("before a run has read its words, ends the run once", async () => {
    for (const stream of [true, false]) {
      const { ada, store } = openaiSite({ steps: [{ chunks: ["Once ", "upon"], hang: true }] });
      const key = { conversation: "tale", user: "ada" };
      const leaving = new AbortController();
      const request = ada.responses.create(
        { model, input: "Tell.", conversation: "tale", stream },
        { signal: leaving.signal, maxRetries: 0 },
      );
      request.catch(() => {});
      await expect.poll(async () => (await store.inbox(key)).length + (await store.load(key)).length).not.toBe(0);
      leaving.abort();
      await request.catch(() => {});
      const cancelled = async () => (await store.load(key)).filter(({ type }) => type === "cancelled").length;
      await expect.poll(cancelled).toBe(1);
    }
  });
});

describe("a streamed request above the limit of streams", () => {
  it.each([
    ["/chat/completions", { messages: [{ role: "user", content: "B" }] }],
    ["/responses", { input: "B" }],
  ])("to %s is refused before anything is posted", async (path, body) => {
    const hanging = { chunks: ["One", " more."], delay: 60_000 };
    const { ask, store } = openaiSite({ steps: [hanging, "Two."], options: { limits: { streams: 1 } } });
    const posted = vi.spyOn(store, "post");
    const first = await ask("/chat/completions", { model, stream: true, messages: [{ role: "user", content: "A" }] });
    const refused = await ask(path, { model, stream: true, ...body });
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain("Too many streams");
    expect(posted.mock.calls.map(([, { kind }]) => kind)).toEqual(["prompt"]);
    await first.body?.cancel();
  });
});
