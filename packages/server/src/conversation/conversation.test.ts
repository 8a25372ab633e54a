import { createAgent } from "@cogency/agent";
import type { LogEvent } from "@cogency/protocol";
import { scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { call, keyRing, questionIn, read, site } from "../../test/support/site.ts";

const key = { conversation: "notes" };
const record = (kind: string, data: unknown, timestamp = 2) => ({ type: "record", kind, data, timestamp }) as LogEvent;
const asked: LogEvent = { type: "user", content: "hello", timestamp: 1 };
const ended = record("run", { status: "completed" });
const json = { "content-type": "application/json" };

function open(steps: string[] = [], store: Store = memoryStore()) {
  const made = site({ store }, steps);
  const header = async (name = "notes") =>
    (await read<{ state: string; title: string; events: number }>(made.ask(`/conversations/${name}`))).body;
  const rename = (title: unknown, more = {}) =>
    read(
      made.ask("/conversations/notes", { method: "PATCH", headers: json, body: JSON.stringify({ title, ...more }) }),
    );
  return { ...made, store, header, rename };
}

describe("the header of a conversation", () => {
  const notice = (rest: object) => record("notice", { code: "server", message: "no", ...rest });
  const question = record("question", { id: "q", call: "c", name: "write", hash: "h", asks: "approval" });
  const called: LogEvent = { type: "call", content: '{"name":"write","args":{}}', id: "c", timestamp: 2 };
  const answered: LogEvent = {
    type: "result",
    content: '[{"tool":"write","status":"success","content":1}]',
    payload: { tools_executed: 1, success_count: 1, failure_count: 0 },
    ids: ["c"],
    timestamp: 3,
  };
  const approval = record("approval", { id: "c", name: "write", hash: "h", status: "approved", question: "q" });

  it.each<[state: string, when: string, log: LogEvent[], inbox?: object[]]>([
    ["idle", "its last run has ended", [asked, ended]],
    ["idle", "its last run was cancelled", [asked, { type: "cancelled", timestamp: 2 }]],
    ["idle", "it has only records", [record("origin", { proof: { key: "k", mac: "m" } })]],
    ["idle", "it failed, and the next message tries again", [asked, notice({})]],
    ["idle", "a person named it after its run had ended", [asked, ended, record("title", { text: "t" })]],
    ["running", "its turn has begun", [asked]],
    ["running", "a call runs", [asked, called, record("started", { id: "c" })]],
    ["running", "it is tried again by itself", [asked, notice({ retryAt: 9 })]],
    ["running", "a prompt waits after the last turn", [asked, ended], [{ kind: "prompt", content: "more" }]],
    ["running", "its question is answered in the log", [asked, called, question, approval]],
    ["running", "an answer to its question waits", [asked, called, question], [{ kind: "approve", question: "q" }]],
    ["waiting", "a question is open", [asked, called, question]],
    ["waiting", "an answer to another question waits", [asked, called, question], [{ kind: "deny", question: "p" }]],
    ["waiting", "a prompt waits behind a question", [asked, called, question], [{ kind: "prompt", content: "more" }]],
    ["idle", "a question of an earlier turn was never answered", [asked, called, question, answered, ended]],
    ["parked", "nobody goes on with it", [asked, notice({ parked: true })]],
    ["parked", "a person has named it since", [asked, notice({ parked: true }), record("title", { text: "t" })]],
    [
      "parked",
      "a prompt waits that nobody reads",
      [asked, notice({ parked: true })],
      [{ kind: "prompt", content: "?" }],
    ],
    ["idle", "it was released and has gone on", [asked, notice({ parked: true }), asked, ended]],
  ])("says %s when %s", async (state, _, log, inbox = []) => {
    const { store, header } = open();
    await store.append(key, log);
    for (const [id, message] of inbox.entries()) await store.post(key, message as never, { id: `${id}` });
    expect(await header()).toMatchObject({ conversation: "notes", state, events: log.length });
  });

  it("is there for a first message that waits, and for nothing is a 404", async () => {
    const { agent, header, post } = open(["Hello.<end>"]);
    expect(await header()).toMatchObject({ code: "not_found" });
    await post("/conversations/notes/messages", { id: "1", kind: "prompt", content: "Say hello." });
    const time = { createdAt: expect.any(Number), updatedAt: expect.any(Number) };
    expect(await header()).toEqual({ conversation: "notes", title: "", state: "running", events: 0, ...time });
    await agent.sweep();
    expect(await header()).toMatchObject({ title: "Say hello.", state: "idle" });
  });

  it("says idle of a fork that nobody has gone on with, and running once somebody has", async () => {
    const { store, post, header } = open();
    await store.append(key, [asked, { type: "respond", content: "so", timestamp: 2 }, asked]);
    const { body } = await read<{ conversation: string }>(post("/conversations/notes/fork", { at: 2 }));
    expect(await header(body.conversation)).toMatchObject({ state: "idle", title: "hello" });
    await store.append({ conversation: body.conversation }, [asked, asked, asked]);
    expect(await header(body.conversation)).toMatchObject({ state: "running" });
  });

  it("is found in a long list, with the time of its first event, and so is that of an agent", async () => {
    const { store, header } = open();
    const child = `subagent-${"0".repeat(40)}`;
    await store.append(key, [asked, ended]);
    await store.append({ conversation: child }, [{ ...asked, timestamp: 5 }]);
    for (let at = 0; at < 1100; at++) await store.append({ conversation: `${at}` }, [asked]);
    expect(await header()).toMatchObject({ title: "hello", createdAt: 1, updatedAt: 2 });
    expect(await header(child)).toMatchObject({ createdAt: 5 });
  });
});

describe("the open questions", () => {
  it("are listed with what a person needs to answer, until they are settled", async () => {
    const { agent, store, ask, post, header } = open([call, "Done.<end>"]);
    const list = async () => (await read(ask("/conversations/notes/questions"))).body;
    expect(await list()).toMatchObject({ code: "not_found" });
    await post("/conversations/notes/messages", { id: "1", kind: "prompt", content: "write" });
    await agent.sweep();
    const id = await questionIn(store, key);
    const question = { id, call: expect.any(String), name: "write", asks: "approval", args: { line: "hello" } };
    expect(await list()).toEqual([{ ...question, concerns: [], touches: [] }]);
    expect(await header()).toMatchObject({ state: "waiting" });
    await post("/conversations/notes/messages", { id: "2", kind: "approve", question: id });
    expect(await header()).toMatchObject({ state: "running" });
    await agent.sweep();
    expect([await list(), await header()]).toMatchObject([[], { state: "idle" }]);
  });
});

describe("a title", () => {
  it("is stored at once when no run is at work", async () => {
    const { store, header, rename } = open();
    await store.append(key, [asked, ended]);
    expect(await rename("  My\n notes ")).toMatchObject({
      status: 200,
      body: { conversation: "notes", title: "My notes" },
    });
    expect(await header()).toMatchObject({ title: "My notes", state: "idle" });
    expect(await store.inbox(key)).toEqual([]);
  });

  it("that comes while a run is at work is shown at once, and stored by the run, which the model does not notice", async () => {
    const shared = memoryStore();
    const { store, agent, header, rename, post, ask } = open([], shared);
    const gate = Promise.withResolvers<void>();
    const model = scripted(["Hello.<end>"]);
    const runs = createAgent({
      store,
      keyRing,
      provider: {
        ...model,
        async *stream(request, options) {
          await gate.promise;
          yield* model.stream(request, options);
        },
      },
    });
    await post("/conversations/notes/messages", { id: "1", kind: "prompt", content: "hi" });
    const swept = runs.sweep();
    await expect.poll(async () => (await store.load(key)).length, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(await rename("Named")).toMatchObject({ status: 202, body: { title: "Named" } });
    expect(await header()).toMatchObject({ title: "Named", state: "running" });
    expect((await read(ask("/conversations/notes/messages"))).body).toEqual([]);
    gate.resolve();
    await swept;
    expect(await store.conversations()).toMatchObject([{ title: "Named" }]);
    expect(await header()).toMatchObject({ title: "Named", state: "idle" });
    expect(JSON.stringify(model.requests)).not.toContain("Named");
    await agent.sweep();
    expect(await store.inbox(key)).toEqual([]);
  });

  it("is refused when it is empty, long, no text or not alone, and for nothing is a 404", async () => {
    const { store, rename } = open();
    expect(await rename("x")).toMatchObject({ status: 404 });
    await store.append(key, [asked]);
    for (const title of ["", " \n ", "x".repeat(81), 7, null, undefined])
      expect(await rename(title)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(await rename("x", { state: "idle" })).toMatchObject({ status: 400, body: { message: /`state`/ } });
    expect((await store.load(key)).length).toBe(1);
    expect(await rename("😀".repeat(80))).toMatchObject({ status: 200 });
  });
});

describe("a conversation that is deleted", () => {
  const remove = (made: ReturnType<typeof open>, name = "notes") =>
    made.ask(`/conversations/${name}`, { method: "DELETE" });
  const child = (digit: string) => `subagent-${digit.repeat(40)}`;
  const started = (conversation: string) => record("child", { call: "c", agent: "a", conversation });
  const below = (conversation: string) => record("parent", { conversation, call: "c", root: "notes", agents: ["a"] });

  it("is gone with the agents below it, and not with what a log from elsewhere names", async () => {
    const made = open();
    const { store } = made;
    await store.append(key, [asked, started(child("1")), started(child("3")), started("mine"), started("notes")]);
    await store.append({ conversation: child("1") }, [below("notes"), asked, started(child("2"))]);
    await store.append({ conversation: child("2") }, [below(child("1")), asked, started(child("1"))]);
    await store.append({ conversation: child("3") }, [below("others"), asked]);
    await store.append({ conversation: "mine" }, [asked]);
    const deleted = await remove(made);
    expect([deleted.status, await deleted.text()]).toEqual([204, ""]);
    expect((await store.conversations()).map(({ conversation }) => conversation).toSorted()).toEqual([
      "mine",
      child("3"),
    ]);
    expect((await remove(made)).status).toBe(404);
  });

  it("takes its waiting messages with it, and its run fails at the next thing that it would store", async () => {
    const made = open();
    const { store, post } = made;
    const gate = Promise.withResolvers<void>();
    const model = scripted(["Hello.<end>"]);
    const provider = {
      ...model,
      async *stream(...given: Parameters<typeof model.stream>) {
        await gate.promise;
        yield* model.stream(...given);
      },
    };
    const run = createAgent({ provider, store }).run("hi", key).result;
    await expect.poll(async () => (await store.load(key)).length, { timeout: 20_000 }).toBeGreaterThan(0);
    await post("/conversations/notes/messages", { id: "1", kind: "prompt", content: "more" });
    expect((await remove(made)).status).toBe(204);
    gate.resolve();
    expect(await run).toMatchObject({
      status: "failed",
      error: { code: expect.stringMatching(/^(store|lease_lost)$/) },
    });
    expect([await store.load(key), await store.inbox(key)]).toEqual([[], []]);
  });
});
