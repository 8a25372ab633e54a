import { defineTool } from "@cogency/agent";
import type { LogEvent } from "@cogency/protocol";
import { ProviderError } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { all, bridged, gate, hers, overs, prompt, replies } from "../../test/support/bridged.ts";
import { call, questionIn } from "../../test/support/site.ts";
import { free, isFinished, isMessage, isStarted, last, notice, over, thinker } from "../../test/support/turn-events.ts";
import type { TurnItem } from "./turn-item.ts";

describe("a turn", () => {
  it("has the events of its messages, and then that it has completed", async () => {
    const { turn } = bridged({ steps: ["Hello!<end>"] });
    const items = await turn([prompt("1")]);
    expect(replies(items)).toEqual(["Hello!"]);
    expect(items.map((item) => (item.type === "event" ? item.event.seq : 0))).not.toContain(undefined);
    expect(overs(items)).toEqual([{ status: "completed" }]);
    expect(last(items)).toEqual(over({ status: "completed" }));
  });

  it("has what is written before it is stored, as the sender may see it", async () => {
    // A piece that is stored before the next frame is never seen.
    const steps = [{ chunks: ["<think>A thou", "ght.</think>Hel", "lo!<end>"], delay: 150 }];
    const { turn } = bridged({ steps, options: { authenticate: thinker } });
    const kinds = (items: readonly TurnItem[]) =>
      new Set(items.flatMap((item) => (item.type === "pieces" ? item.pieces.map(({ type }) => type) : [])));
    const seen = await turn([prompt("1")], 0, { headers: { "x-scopes": "thinking" } });
    expect(kinds(seen)).toEqual(new Set(["thinking", "text"]));
    const { turn: other } = bridged({ steps, options: { authenticate: thinker } });
    const shown = await other([prompt("1")]);
    expect(kinds(shown)).toEqual(new Set(["text"]));
    expect(JSON.stringify(shown)).not.toContain("thought");
  });

  it("ends when the run was stopped, and says why", async () => {
    const { turn } = bridged({ steps: [call], agent: { budget: { steps: 1 }, tools: [free("write")] } });
    expect(last(await turn([prompt("1")]))).toEqual(
      over({ status: "stopped", code: "steps_limit", message: expect.any(String) }),
    );
  });

  it("ends when the time of the run is over, though the log would let it go on", async () => {
    const { turn } = bridged({ steps: [{ hang: true }], agent: { budget: { seconds: 0.05 } } });
    expect(last(await turn([prompt("1")]))).toEqual(
      over({ status: "stopped", code: "time_limit", message: expect.any(String) }),
    );
  });

  it("ends when somebody cancels it", async () => {
    const { turn, visit } = bridged({ steps: [{ chunks: "Hel", hang: true }] });
    const reading = turn([prompt("1")]);
    await visit((one) => one.post(hers, [{ id: "c", content: { kind: "cancel" } }]));
    expect(last(await reading)).toEqual(over({ status: "cancelled" }));
  });

  it("ends when it waits for an answer, and the turn of the answer goes on with it", async () => {
    const { turn, store, written } = bridged({ steps: [call, "Done.<end>"] });
    const asked = await turn([prompt("1")]);
    expect(last(asked)).toEqual(over({ status: "waiting" }));
    expect(
      asked.some((item) => item.type === "event" && item.event.type === "record" && item.event.kind === "question"),
    ).toBe(true);
    const question = await questionIn(store, hers);
    const after = (await store.load(hers)).length;
    const items = await turn([{ id: "2", content: { kind: "approve", question } }], after);
    expect(written).toEqual(["hello"]);
    expect(replies(items)).toEqual(["Done."]);
    expect(overs(items)).toEqual([{ status: "completed" }]);
  });

  it("does not wait for answers while a call of another tool is at work", async () => {
    const { open, opened } = gate();
    const slow = defineTool({ name: "slow", description: "Waits.", input: { type: "object" }, execute: () => opened });
    const both = `<execute>[{"name":"slow","args":{}},{"name":"write","args":{"line":"a"}}]</execute>`;
    const { store, turn, agent } = bridged({ steps: [both], tools: [slow] });
    // A run elsewhere: this bridge knows of it by the log alone.
    await agent.send(hers, { kind: "prompt", content: "hi" }, { id: "1", from: "ada" });
    const swept = agent.sweep();
    let items: TurnItem[] | undefined;
    const reading = turn([prompt("1")]).then((read) => {
      items = read;
    });
    await expect.poll(() => questionIn(store, hers), { timeout: 20_000 }).not.toBe("undefined");
    await expect.poll(async () => (await store.load(hers)).some(isStarted), { timeout: 20_000 }).toBe(true);
    expect(items).toBeUndefined();
    open();
    await reading;
    expect(items?.some((item) => item.type === "event" && isFinished(item.event))).toBe(true);
    expect(items?.at(-1)).toEqual(over({ status: "waiting" }));
    await swept;
  });

  it("ends when a question is open that its prompt cannot pass", async () => {
    const { turn, store } = bridged({ steps: [call] });
    await turn([prompt("1")]);
    const after = (await store.load(hers)).length;
    expect(last(await turn([prompt("2")], after))).toEqual(over({ status: "waiting" }));
  });

  it("ends when the run of this process fails, in words that hold nothing of a server", async () => {
    const error = new ProviderError("overloaded", "canary");
    const { turn, errors } = bridged({ steps: [{ error }] });
    const items = await turn([prompt("1")]);
    expect(last(items)).toEqual(
      over({ status: "failed", code: "overloaded", message: "The server of the model is too busy." }),
    );
    expect(JSON.stringify(items)).not.toContain("canary");
    expect(errors).toEqual([expect.objectContaining({ code: "provider" })]);
  });

  it("ends when the store keeps nothing of the run", async () => {
    const inner = memoryStore();
    const store = { ...inner, append: () => Promise.reject(Object.assign(new Error("canary"), { code: "full" })) };
    const items = await bridged({ store, steps: ["Hello!<end>"] }).turn([prompt("1")]);
    expect(last(items)).toEqual(
      over({ status: "failed", code: "store", message: "This service cannot store the conversation now." }),
    );
    expect(JSON.stringify(items)).not.toContain("canary");
  });

  it("goes on where the run before it was stopped", async () => {
    const steps = [call, "Second.<end>"];
    const { turn, store } = bridged({ steps, agent: { budget: { steps: 1 }, tools: [free("write")] } });
    await turn([prompt("1")]);
    const after = (await store.load(hers)).length;
    const items = await turn([prompt("2")], after);
    expect(replies(items)).toEqual(["Second."]);
  });

  it("ends when a hook refuses its prompt, at the beginning of a conversation and later", async () => {
    const hooks = [
      {
        name: "guard",
        beforePrompt: ({ prompt: words }: { prompt: string }) =>
          words === "bad" ? { refuse: "Not here." } : undefined,
      },
    ];
    const { turn, store } = bridged({ steps: ["Hello!<end>"], agent: { hooks } });
    const refused = over({ status: "failed", code: "refused", message: "A hook refused the prompt: Not here." });
    expect(last(await turn([prompt("1", "bad")]))).toEqual(refused);
    const answered = await turn([prompt("2")]);
    expect(replies(answered)).toEqual(["Hello!"]);
    expect(last(answered)).toEqual(over({ status: "completed" }));
    const after = (await store.load(hers)).length;
    expect(last(await turn([prompt("3", "bad")], after))).toEqual(refused);
  });

  it("ends when its answer is for a question that is not open", async () => {
    const { turn, store } = bridged({ steps: ["Hello!<end>"] });
    await turn([prompt("1")]);
    const after = (await store.load(hers)).length;
    const items = await turn([{ id: "2", content: { kind: "approve", question: "none" } }], after);
    expect(last(items)).toEqual(over({ status: "failed", code: "refused", message: "The question is not open." }));
  });

  it("gives the same ending to a client that posts again what has been answered", async () => {
    const { turn, store } = bridged({ steps: ["Hello!<end>"] });
    await turn([prompt("1")]);
    const after = (await store.load(hers)).length;
    expect(await turn([prompt("1")], after)).toEqual([over({ status: "completed" })]);
    expect(overs(await turn([prompt("1")]))).toEqual([{ status: "completed" }]);
  });

  it("gives the ending also long after the message was read", async () => {
    const { visit, store } = bridged();
    const user = { type: "user", content: "hi", timestamp: 1 } as const;
    const read = { type: "record", kind: "message", data: { id: "1", kind: "prompt" }, timestamp: 1 } as const;
    const later: LogEvent[] = Array.from({ length: 200 }, () => ({ type: "respond", content: "more", timestamp: 1 }));
    const ended = { type: "record", kind: "run", data: { status: "completed" }, timestamp: 1 } as const;
    const after = await store.append(hers, [read, user, ...later, ended, user, ended]);
    expect(await visit((one) => all(one.turn(hers, { after, ids: ["1"] })))).toEqual([over({ status: "completed" })]);
  });

  it("ends where the run was stopped, and words for it wait that no run takes", async () => {
    const { turn, store } = bridged({ steps: [call], agent: { budget: { steps: 1 }, tools: [free("write")] } });
    await turn([prompt("1")]);
    const after = (await store.load(hers)).length;
    const items = await turn([{ id: "2", content: { kind: "steer", content: "more" } }], after);
    expect(items).toEqual([over({ status: "stopped", code: "steps_limit", message: expect.any(String) })]);
  });

  it("has the turn before it, where that is at work still", async () => {
    const { open, opened } = gate();
    const slow = defineTool({ name: "slow", description: "Waits.", input: { type: "object" }, execute: () => opened });
    const steps = ['<execute>[{"name":"slow","args":{}}]</execute>', "First.<end>", "Second.<end>"];
    const { turn, store } = bridged({ steps, tools: [slow] });
    const first = turn([prompt("1")]);
    await expect.poll(async () => (await store.load(hers)).some(isStarted), { timeout: 20_000 }).toBe(true);
    const second = turn([prompt("2")]);
    await expect.poll(async () => (await store.inbox(hers)).length, { timeout: 20_000 }).toBe(1);
    open();
    expect(replies(await first)).toEqual(["First."]);
    expect(replies(await second)).toEqual(["First.", "Second."]);
  });

  it("answers each prompt of many that come at one moment", async () => {
    const ids = Array.from({ length: 12 }, (_, at) => `${at}`);
    const { turn } = bridged({ steps: ids.map((id) => `Answer ${id}.<end>`) });
    const turns = await Promise.all(ids.map((id) => turn([prompt(id)])));
    for (const [at, items] of turns.entries()) {
      expect(overs(items)).toEqual([{ status: "completed" }]);
      const read = items.filter((item) => item.type === "event" && isMessage(item.event, `${at}`));
      expect(read).toHaveLength(1);
    }
  });
});

describe("a turn that waits", () => {
  const record = (kind: string, data: object) => ({ type: "record", kind, data, timestamp: 1 }) as LogEvent;
  const asked = (id: string, more: object = {}) =>
    record("question", { id, call: "c1", name: "ask", hash: "h", asks: "approval", ...more });
  const used = record("usage", { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0, duration: 1 });
  const calls: LogEvent[] = [
    { type: "user", content: "hi", timestamp: 1 },
    { type: "call", id: "c1", content: '{"name":"ask","args":{}}', timestamp: 1 },
  ];

  it.each([
    ["of a call", [asked("q")]],
    ["of an agent below", [record("started", { id: "c1" }), asked("q", { agents: ["helper"] })]],
    ["of the client, whose tool is called", [asked("q", { asks: "answer", client: true })]],
  ])("ends with an open question %s, which the sender sees", async (_, events) => {
    const { visit, store } = bridged();
    await store.append(hers, [...calls, ...events, used]);
    const items = await visit((one) => all(one.turn(hers, { after: 0 })));
    expect(items.at(-3)).toMatchObject({ type: "event", event: { kind: "question", data: { id: "q" } } });
    expect(last(items)).toEqual(over({ status: "waiting" }));
    expect(JSON.stringify(items.at(-3)).includes('"client":true')).toBe(
      JSON.stringify(events).includes('"client":true'),
    );
  });

  it("has what the step has used, which a run elsewhere stores after its question", async () => {
    const { visit, store } = bridged();
    await store.append(hers, [...calls, asked("q")]);
    const items = await visit(async (one) => {
      const read: TurnItem[] = [];
      for await (const item of one.turn(hers, { after: 0 })) {
        read.push(item);
        if (item.type === "event" && item.event.type === "record" && item.event.kind === "question")
          setTimeout(() => void store.append(hers, [used]), 50);
      }
      return read;
    });
    expect(items.at(-2)).toMatchObject({ type: "event", event: { kind: "usage" } });
    expect(last(items)).toEqual(over({ status: "waiting" }));
  });

  it("ends, too, where a run asks at a terminal and goes on", async () => {
    const { visit, store } = bridged();
    await store.append(hers, [...calls, asked("q")]);
    expect(last(await visit((one) => all(one.turn(hers, { after: 0 }))))).toEqual(over({ status: "waiting" }));
  });

  it("waits for the client whose tool is called, and goes on with what that one found", async () => {
    const steps = ['<execute>[{"name":"locate","args":{}}]</execute>', "In Kyiv.<end>"];
    const { turn, store } = bridged({ steps });
    const tools = [{ name: "locate", description: "Says where the client is.", parameters: { type: "object" } }];
    const asked = await turn([{ id: "1", content: { kind: "prompt", content: "Where am I?", tools } }]);
    expect(last(asked)).toEqual(over({ status: "waiting" }));
    expect(JSON.stringify(asked)).toContain('"client":true');
    const after = (await store.load(hers)).length;
    const question = await questionIn(store, hers);
    const items = await turn([{ id: "2", content: { kind: "answer", question, content: { output: "Kyiv" } } }], after);
    expect(replies(items)).toEqual(["In Kyiv."]);
    expect(last(items)).toEqual(over({ status: "completed" }));
  });

  it("waits until a run elsewhere has taken its answer to one of two questions", async () => {
    const inner = memoryStore();
    let looks = 0;
    const store: Store = { ...inner, inbox: (key) => inner.inbox(key).finally(() => looks++) };
    const both = '<execute>[{"name":"write","args":{"line":"a"}},{"name":"write","args":{"line":"b"}}]</execute>';
    const { turn, visit, written } = bridged({ store, steps: [both] });
    await turn([prompt("1")]);
    const after = (await inner.load(hers)).length;
    const lease = await inner.lease(hers, { owner: "another", ttl: 600_000 });
    const content = { kind: "approve", question: await questionIn(inner, hers) } as const;
    await visit((one) => one.post(hers, [{ id: "2", content }]));
    looks = 0;
    const items: TurnItem[] = [];
    const reading = visit(async (one) => {
      for await (const item of one.turn(hers, { after, ids: ["2"] })) items.push(item);
    });
    await expect.poll(() => looks, { timeout: 20_000 }).toBeGreaterThan(1);
    expect(items).toEqual([]);
    await lease.release();
    await reading;
    expect(written).toEqual(["a"]);
    expect(last(items)).toEqual(over({ status: "waiting" }));
  });

  it("goes on where one of two questions is answered, until the call of that one has ended", async () => {
    const steps = [
      '<execute>[{"name":"write","args":{"line":"a"}},{"name":"write","args":{"line":"b"}}]</execute>',
      "Done.<end>",
    ];
    const { turn, store, written } = bridged({ steps });
    await turn([prompt("1")]);
    const questions = (await store.load(hers)).flatMap((event) =>
      event.type === "record" && event.kind === "question" ? [event.data.id] : [],
    );
    expect(questions).toHaveLength(2);
    for (const [at, question] of questions.entries()) {
      const after = (await store.load(hers)).length;
      const items = await turn([{ id: `${at}`.padStart(2, "a"), content: { kind: "approve", question } }], after);
      expect(written).toHaveLength(at + 1);
      expect(last(items)).toEqual(over({ status: at === 0 ? "waiting" : "completed" }));
    }
  });
});

describe("a turn without messages", () => {
  it("ends at once where nothing is at work", async () => {
    const { turn, visit } = bridged({ steps: ["Hello!<end>"] });
    const follow = (after: number) => visit((one) => all(one.turn(hers, { after })));
    expect(await follow(0)).toEqual([over({ status: "completed" })]);
    await turn([prompt("1")]);
    const items = await follow(0);
    expect(replies(items)).toEqual(["Hello!"]);
    expect(last(items)).toEqual(over({ status: "completed" }));
  });

  it("follows what is at work to its end", async () => {
    const { open, opened } = gate();
    const slow = defineTool({ name: "slow", description: "Waits.", input: { type: "object" }, execute: () => opened });
    const { visit, store } = bridged({
      steps: ['<execute>[{"name":"slow","args":{}}]</execute>', "First.<end>"],
      tools: [slow],
    });
    await visit((one) => one.post(hers, [prompt("1")]));
    const following = visit((one) => all(one.turn(hers, { after: 0 })));
    await expect.poll(async () => (await store.load(hers)).some(isStarted), { timeout: 20_000 }).toBe(true);
    open();
    const items = await following;
    expect(replies(items)).toEqual(["First."]);
    expect(overs(items)).toEqual([{ status: "completed" }]);
  });

  it("ends where a worker has given up, with its words", async () => {
    const { visit, store } = bridged();
    await store.append(hers, [{ type: "user", content: "hi", timestamp: 1 }, notice({})]);
    const follow = () => visit((one) => all(one.turn(hers, { after: 2 })));
    expect(await follow()).toEqual([over({ status: "failed", code: "overloaded", message: "It is busy." })]);
  });
});

describe("a conversation that is parked", () => {
  it("stays so, whatever is posted, and the turn ends", async () => {
    const { turn, store, agent } = bridged({ steps: ["Hello!<end>"] });
    await store.append(hers, [{ type: "user", content: "hi", timestamp: 1 }, notice({ parked: true })]);
    expect(last(await turn([prompt("1")], 2))).toEqual(
      over({ status: "parked", code: "overloaded", message: "It is busy." }),
    );
    expect(await store.inbox(hers)).toHaveLength(1);
    expect(await store.load(hers)).toHaveLength(2);
    // Somebody releases it.
    await agent.sweep();
    expect((await store.load(hers)).some(({ type }) => type === "respond")).toBe(true);
  });
});

describe("a conversation that is deleted", () => {
  const gone = over({ status: "failed", code: "deleted", message: "The conversation was deleted." });

  it("ends its turns: while it is written, before it has begun, and when its reader had seen more", async () => {
    const { turn, store } = bridged({ steps: [{ chunks: "Hel", hang: true }] });
    const reading = turn([prompt("1")]);
    await expect.poll(async () => (await store.load(hers)).length, { timeout: 20_000 }).toBeGreaterThan(0);
    await store.delete(hers);
    expect(last(await reading)).toEqual(gone);
    const early = bridged();
    expect(await early.visit((one) => all(one.turn(hers, { after: 0, ids: ["never posted"] })))).toEqual([gone]);
    await early.store.append(hers, [{ type: "user", content: "hi", timestamp: 1 }]);
    expect(await early.visit((one) => all(one.turn(hers, { after: 7 })))).toEqual([gone]);
  });
});
