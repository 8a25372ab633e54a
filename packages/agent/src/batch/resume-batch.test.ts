import { type JsonObject, type LogEvent, parseResults, toMessages } from "@cogency/protocol";
import { scripted } from "@cogency/provider";
import { memoryStore, redactingStore, redactionMark, type Store } from "@cogency/storage";
import {
  type Approval,
  type ApprovalAnswer,
  createExecutor,
  createKeyRing,
  createRegistry,
  defineTool,
  type KeyRing,
  StopRun,
  type ToolAnnotations,
} from "@cogency/tools";
import type { ApprovalRecord } from "@cogency/tools/host";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { block, collect } from "../../test/support/fixtures.ts";
import { createAgent } from "../create-agent.ts";

const conversation = "c";

/** A tool that counts what it does for each of its items. */
function counter(name: string, annotations: ToolAnnotations = {}) {
  const done = new Map<string, number>();
  const tool = defineTool({
    name,
    description: `${name} an item.`,
    input: z.object({ item: z.string() }),
    annotations,
    execute({ item }) {
      done.set(item, (done.get(item) ?? 0) + 1);
      return `${name} ${item}`;
    },
  });
  return { tool, done };
}

async function lastResults(store: Store) {
  const result = (await store.load({ conversation }, { types: ["result"] })).at(-1);
  return result?.type === "result" ? (parseResults(result.content) ?? []) : [];
}

const call = (name: string, item: string) =>
  ({ type: "call", content: JSON.stringify({ name, args: { item } }), id: `call_${item}`, timestamp: 2 }) as const;
const started = (item: string, ran?: string): LogEvent => ({
  type: "record",
  kind: "started",
  data: { id: `call_${item}`, ...(ran && { call: JSON.stringify({ name: ran, args: { item } }) }) },
  timestamp: 3,
});

async function crashed(...events: LogEvent[]): Promise<Store> {
  const store = memoryStore();
  await store.append({ conversation }, [{ type: "user", content: "go", timestamp: 1 }, ...events]);
  return store;
}

/** The items of the calls whose question was answered. */
function answeredIn(log: readonly LogEvent[]): ReadonlySet<unknown> {
  const ids = new Set(
    log.flatMap((event) =>
      event.type === "record" && event.kind === "approval" && event.data.status !== "asked" ? [event.data.id] : [],
    ),
  );
  return new Set(
    log.flatMap((event) =>
      event.type === "call" && ids.has(event.id ?? "") ? [JSON.parse(event.content).args.item] : [],
    ),
  );
}

describe("recovering in the middle of a batch", () => {
  it("runs calls that had not begun, keeps results, and reports `outcome unknown` for the rest", async () => {
    const { tool, done } = counter("pay");
    const result = { tool: "pay", status: "success" as const, content: "pay b" };
    const store = await crashed(call("pay", "a"), call("pay", "b"), call("pay", "c"), started("a"), started("b"), {
      type: "record",
      kind: "finished",
      data: { id: "call_b", result },
      timestamp: 3,
    });
    const provider = scripted(["I see."]);
    const events = await collect(createAgent({ provider, tools: [tool], store }).recover({ conversation }));
    expect(events[0]).toMatchObject({
      type: "result",
      payload: { tools_executed: 3, success_count: 2, failure_count: 1 },
    });
    expect([...done]).toEqual([["c", 1]]);
    expect(await lastResults(store)).toEqual([
      { tool: "pay", status: "failure", content: expect.stringContaining("it may have completed") },
      result,
      { tool: "pay", status: "success", content: "pay c" },
    ]);
  });

  it.each([{ idempotentHint: true }, { readOnlyHint: true }])(
    "runs a call that had begun again if its tool has %j",
    async (annotations) => {
      const { tool, done } = counter("set", annotations);
      const store = await crashed(call("set", "a"), started("a"));
      await createAgent({ provider: scripted(["ok"]), tools: [tool], store }).recover({ conversation }).result;
      expect([...done]).toEqual([["a", 1]]);
      expect(await lastResults(store)).toEqual([{ tool: "set", status: "success", content: "set a" }]);
    },
  );

  it.each(["look", "unknown"])("decides about a call of %s by the call that a hook had made of it", async (name) => {
    const look = counter("look", { readOnlyHint: true });
    const pay = counter("pay");
    const hooks = [{ name: "alias", beforeToolUse: () => ({ call: { name: "pay" } }) }];
    const store = await crashed(call(name, "a"), started("a", "pay"));
    const tools = [look.tool, pay.tool];
    const agent = createAgent({ provider: scripted(["ok"]), tools, store, execution: { hooks } });
    await agent.recover({ conversation }).result;
    expect([...look.done, ...pay.done]).toEqual([]);
    expect(await lastResults(store)).toMatchObject([{ tool: "pay", content: expect.stringContaining("may have") }]);
  });

  it("gives each call its own result, also if the log has no usable id", async () => {
    const { tool } = counter("pay");
    const store = await crashed({ ...call("pay", "a"), id: "" }, { ...call("pay", "b"), id: "x".repeat(60) });
    await createAgent({ provider: scripted(["ok"]), tools: [tool], store }).recover({ conversation }).result;
    expect((await lastResults(store)).map(({ content }) => content)).toEqual(["pay a", "pay b"]);
  });

  const finished = (item: string, status: "success" | "failure", more = {}): LogEvent => ({
    type: "record",
    kind: "finished",
    data: { id: `call_${item}`, result: { tool: "pay", status, content: `pay ${item}` }, ...more },
    timestamp: 3,
  });

  it("ends the run if a call had ended it, with its stop signal, and runs nothing more", async () => {
    const { tool, done } = counter("pay");
    const stop = { reason: "completed", message: "all done", context: { k: 1 }, source: "t" };
    const store = await crashed(call("pay", "a"), call("pay", "b"), started("a"), finished("a", "success", { stop }));
    const provider = scripted([]);
    const run = createAgent({ provider, tools: [tool], store }).recover({ conversation });
    expect(await run.result).toMatchObject({ status: "completed", stop });
    expect(done.size).toBe(0);
    expect((await lastResults(store)).map(({ content }) => content)).toEqual([
      "pay a",
      expect.stringContaining("skipped and did not run"),
    ]);
  });

  it("fails if a failure was about to end the run, and runs nothing more", async () => {
    const { tool, done } = counter("pay");
    const events = [call("pay", "a"), call("pay", "b"), started("a"), finished("a", "failure")];
    const store = await crashed(...events);
    const execution = { throwOnToolFailure: true };
    const run = createAgent({ provider: scripted([]), tools: [tool], store, execution }).recover({ conversation });
    expect(await run.result).toMatchObject({ status: "failed", error: { code: "tool" } });
    expect(done.size).toBe(0);
    expect(await lastResults(store)).toHaveLength(2);

    const lenient = await crashed(...events);
    await createAgent({ provider: scripted(["ok"]), tools: [tool], store: lenient }).recover({ conversation }).result;
    expect([...done]).toEqual([["b", 1]]);
  });

  it("stores why a tool ended the run with the end of its call", async () => {
    const store = memoryStore();
    const stopper = defineTool({
      name: "stopper",
      description: "Stop.",
      input: z.object({}),
      execute() {
        throw new StopRun({ reason: "user_requested", message: "enough" });
      },
    });
    const provider = scripted([block(["stopper", {}])]);
    await createAgent({ provider, tools: [stopper], store }).run("go", { conversation }).result;
    const record = (await store.load({ conversation })).find(
      (event) => event.type === "record" && event.kind === "finished",
    );
    expect(record).toMatchObject({ data: { stop: { reason: "user_requested", message: "enough", context: {} } } });
  });

  it("runs nothing if the person gives a new prompt instead", async () => {
    const { tool, done } = counter("pay");
    const store = await crashed(call("pay", "a"));
    await createAgent({ provider: scripted(["ok"]), tools: [tool], store }).run("never mind", { conversation }).result;
    expect(done.size).toBe(0);
    expect(await lastResults(store)).toMatchObject([{ status: "failure" }]);
  });

  it("answers calls that cannot be read, or whose tool is gone", async () => {
    const store = await crashed(
      { type: "call", content: "{{", id: "call_x", timestamp: 2 },
      call("gone", "a"),
      started("a"),
    );
    const run = createAgent({ provider: scripted(["ok"]), store }).recover({ conversation });
    expect(await run.result).toMatchObject({ status: "completed" });
    expect((await lastResults(store)).map(({ status }) => status)).toEqual(["failure", "failure"]);
    expect((await lastResults(store))[1]?.content).toContain("it may have completed");
  });
});

describe("a batch that broke off", () => {
  const unknown = "outcome unknown: the call had begun when the run broke off, and it may have completed.";

  it.each(["run", "recover"] as const)("is reported to the model in the same words by %s", async (how) => {
    const { tool } = counter("pay");
    const paid = { tool: "pay", status: "success" as const, content: "pay b" };
    const store = await crashed(call("pay", "a"), call("pay", "b"), call("gone", "c"), started("a"), started("b"), {
      type: "record",
      kind: "finished",
      data: { id: "call_b", result: paid },
      timestamp: 3,
    });
    const assembled = JSON.stringify(toMessages(await store.load({ conversation }), { form: "json" }));
    expect(assembled).toContain(unknown);
    const provider = scripted(["I see."]);
    const agent = createAgent({ provider, tools: [tool], store });
    await (how === "run" ? agent.run("go on", { conversation }) : agent.recover({ conversation })).result;
    expect(await lastResults(store)).toEqual([
      { tool: "pay", status: "failure", content: expect.stringContaining(unknown) },
      paid,
      { tool: "gone", status: "failure", content: expect.stringMatching(how === "run" ? /interrupted: no/ : /gone/) },
    ]);
    expect(JSON.stringify(provider.requests[0]?.messages)).toContain(unknown);
  });

  it("is reported in the same way if the run that finds it is cancelled at once", async () => {
    const store = await crashed(call("pay", "a"), started("a"));
    const run = createAgent({ provider: scripted([]), store }).run("go", { conversation, signal: AbortSignal.abort() });
    await run.result;
    expect((await lastResults(store))[0]?.content).toContain(unknown);
  });

  it("gives each call its own result, also if there is text between the calls", async () => {
    const { tool } = counter("pay");
    const words: LogEvent = { type: "respond", content: "And:", timestamp: 2 };
    const store = await crashed(call("pay", "a"), words, call("pay", "b"));
    await createAgent({ provider: scripted(["ok"]), tools: [tool], store }).recover({ conversation }).result;
    expect((await lastResults(store)).map(({ content }) => content)).toEqual(["pay a", "pay b"]);
  });

  it.each([
    "started",
    "not_done",
    "finished",
    "approval",
    "question",
    "answer",
    "message",
    "request",
    "content",
    "origin",
    "fork",
    "native",
    "rejected",
    "run",
    "tools_found",
    "source_tools",
    "client_tools",
    "notice",
    "title",
    "point",
    "trace",
    "object",
  ] as const)("may hold a record without data: %s", async (kind) => {
    const { tool } = counter("pay");
    for (const data of [null, undefined, 7, "x", [], {}, { id: "call_a" }]) {
      const nothing = { type: "record", kind, data, timestamp: 3 } as unknown as LogEvent;
      const store = await crashed(call("pay", "a"), nothing);
      const run = createAgent({ provider: scripted(["ok"]), tools: [tool], store }).recover({ conversation });
      const { error, status } = await run.result;
      expect([status, error]).toEqual(["completed", undefined]);
    }
  });
});

describe("recovering calls that a store has redacted", () => {
  const secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD";
  const redact = (text: string) => text.replaceAll(secret, redactionMark);

  it("does not run them with the redaction mark as an argument; given again, they run", async () => {
    const inner = memoryStore();
    // It dies between the calls and their beginnings.
    const dying: Store = {
      ...inner,
      async append(key, events, options) {
        const begun = events.findIndex((event) => event.type === "record" && event.kind === "started");
        if (begun === -1) return inner.append(key, events, options);
        await inner.append(key, events.slice(0, begun), options);
        throw new Error("killed");
      },
    };
    const { tool, done } = counter("pay");
    const script = block(["pay", { item: `with ${secret}` }], ["pay", { item: "plain" }]);
    const agentOn = (store: Store, ...texts: string[]) =>
      createAgent({ provider: scripted(texts), tools: [tool], store: redactingStore(store, redact) });
    await agentOn(dying, script).run("go", { conversation }).result;
    expect(done.size).toBe(0);

    const again = block(["pay", { item: `with ${secret}` }]);
    const run = agentOn(inner, again, "Paid.<end>").recover({ conversation });
    const events = await collect(run);
    expect(await run.result).toMatchObject({ status: "completed", text: "Paid.", toolErrors: 1 });
    expect([...done]).toEqual([
      ["plain", 1],
      [`with ${secret}`, 1],
    ]);
    const [first, second] = events.flatMap((event) => (event.type === "result" ? [parseResults(event.content)] : []));
    expect(first).toEqual([
      {
        tool: "pay",
        status: "failure",
        content: expect.stringMatching(/arguments were redacted .* give the call again/),
      },
      { tool: "pay", status: "success", content: "pay plain" },
    ]);
    expect(second).toMatchObject([{ status: "success" }]);
  });

  it.each<[string, JsonObject]>([
    ["a part of a string", { item: `token=${redactionMark}` }],
    ["deep inside", { item: "a", more: [{ header: { value: redactionMark } }] }],
    ["the name of a property", { item: "a", env: { [redactionMark]: "1" } }],
  ])("finds the redaction mark if it is %s", async (_, args) => {
    const look = counter("look", { readOnlyHint: true });
    const content = JSON.stringify({ name: "look", args });
    const store = await crashed({ type: "call", content, id: "call_a", timestamp: 2 }, started("a"));
    await createAgent({ provider: scripted(["ok"]), tools: [look.tool], store }).recover({ conversation }).result;
    expect(look.done.size).toBe(0);
    expect(await lastResults(store)).toMatchObject([
      { status: "failure", content: expect.stringContaining("redacted") },
    ]);
  });

  it("does not ask again about a call that was refused for a reason that was redacted", async () => {
    const inner = memoryStore();
    const dying: Store = {
      ...inner,
      append: (key, events, options) =>
        events.some(({ type }) => type === "result")
          ? Promise.reject(new Error("killed"))
          : inner.append(key, events, options),
    };
    const { tool, done } = counter("pay");
    let asked = 0;
    const agentOn = (store: Store, answer: ApprovalAnswer, text: string) => {
      const approve: Approval["approve"] = async () => {
        asked++;
        return answer;
      };
      const execution = { approval: { approve } };
      return createAgent({
        provider: scripted([text]),
        tools: [tool],
        store: redactingStore(store, redact),
        execution,
      });
    };
    const refusal = { approved: false, reason: `not with ${secret} in the open` };
    await agentOn(dying, refusal, block(["pay", { item: "a" }])).run("go", { conversation }).result;
    await agentOn(inner, { approved: true }, "ok").recover({ conversation }).result;
    expect([asked, done.size]).toEqual([1, 0]);
    const told = `not with ${redactionMark} in the open`;
    expect(await lastResults(inner)).toMatchObject([{ status: "failure", content: expect.stringContaining(told) }]);
  });

  it("still reports that a call which had begun may have taken effect", async () => {
    const { tool, done } = counter("pay");
    const redacted = { ...call("pay", redactionMark), id: "call_a" };
    const store = await crashed(redacted, started("a"));
    await createAgent({ provider: scripted(["ok"]), tools: [tool], store }).recover({ conversation }).result;
    expect(done.size).toBe(0);
    expect(await lastResults(store)).toMatchObject([{ content: expect.stringContaining("may have completed") }]);
  });
});

describe("approvals across a restart", () => {
  const keyRing = createKeyRing(["k".repeat(32)]);
  /** What an executor with `ring` logs of questions and answers. */
  const approvals = async (
    ring: KeyRing,
    ...statuses: [item: string, status: "asked" | "approved" | "denied", args?: JsonObject][]
  ) => {
    const events: LogEvent[] = [];
    for (const [item, status, args = { item }] of statuses) {
      const journal = {
        question() {},
        approval(data: ApprovalRecord) {
          if (data.status === status) events.push({ type: "record", kind: "approval", data, timestamp: 3 });
        },
        started() {},
        finished() {},
      };
      const executor = createExecutor({
        registry: createRegistry([counter("pay").tool]),
        keyRing: ring,
        approval: { approve: async () => ({ approved: status === "approved", reason: "not this one" }) },
      });
      await executor.run([{ name: "pay", args, id: `call_${item}` }], { conversation, journal });
    }
    return events;
  };

  it("decide each call: approved, denied, unanswered, automatic or new", async () => {
    const { tool, done } = counter("pay");
    const look = counter("look", { readOnlyHint: true });
    const items = ["yes", "no", "open", "swapped", "new"];
    const store = await crashed(
      ...items.map((item) => call("pay", item)),
      call("look", "auto"),
      ...(await approvals(
        keyRing,
        ["yes", "asked"],
        ["yes", "approved"],
        ["no", "asked"],
        ["no", "denied"],
        ["open", "asked"],
        ["swapped", "approved", { item: "something else" }],
      )),
    );
    const asked: unknown[] = [];
    const approve: Approval["approve"] = async ({ call }): Promise<ApprovalAnswer> => {
      asked.push(call.args.item);
      return { approved: call.args.item === "new", reason: "not now" };
    };
    const execution = { approval: { approve } };
    const provider = scripted(["ok"]);
    const tools = [tool, look.tool];
    await createAgent({ provider, tools, store, execution, keyRing }).recover({ conversation }).result;
    expect(asked).toEqual(["open", "swapped", "new"]);
    expect([...done]).toEqual([
      ["yes", 1],
      ["new", 1],
    ]);
    const results = await lastResults(store);
    expect(results.map(({ status }) => status)).toEqual([
      "success",
      "failure",
      "failure",
      "failure",
      "success",
      "success",
    ]);
    expect(results[1]?.content).toContain("not this one");
    expect(results[2]?.content).toContain("not now");
    expect(results[3]?.content).toContain("not now");
  });

  it("that another installation gave are ignored", async () => {
    const { tool, done } = counter("pay");
    const asked: unknown[] = [];
    const approve: Approval["approve"] = async ({ call }) => {
      asked.push(call.args.item);
      return false;
    };
    const theirs = createKeyRing(["t".repeat(32)]);
    const store = await crashed(call("pay", "a"), ...(await approvals(theirs, ["a", "asked"], ["a", "approved"])));
    const options = { tools: [tool], store, execution: { approval: { approve } }, keyRing };
    await createAgent({ provider: scripted(["ok"]), ...options }).recover({ conversation }).result;
    expect(asked).toEqual(["a"]);
    expect(done.size).toBe(0);
  });

  it.each([
    ["in the same scope", "/a", []],
    ["in another scope", "/b", ["a"]],
    ["in no scope", undefined, ["a"]],
  ])("hold only for what their question showed: %s", async (_, scope, again) => {
    const inner = memoryStore();
    const append: Store["append"] = (key, events, options) =>
      events.some((event) => event.type === "record" && event.kind === "started")
        ? Promise.reject(new Error("killed"))
        : inner.append(key, events, options);
    const { tool, done } = counter("pay");
    const asked: unknown[] = [];
    const agent = (store: Store, text: string, scope: string | undefined, isApproved: boolean) => {
      const approve: Approval["approve"] = async ({ call }) => {
        asked.push(call.args.item);
        return isApproved;
      };
      const execution = { approval: { approve } };
      return createAgent({ provider: scripted([text]), tools: [tool], store, keyRing, scope, execution });
    };
    await agent({ ...inner, append }, block(["pay", { item: "a" }]), "/a", true).run("go", { conversation }).result;
    expect(asked.splice(0)).toEqual(["a"]);
    await agent(inner, "ok", scope, false).recover({ conversation }).result;
    expect(asked).toEqual(again);
    expect(done.size).toBe(again.length === 0 ? 1 : 0);
  });

  it("hold although another call of the same batch brought content", async () => {
    const inner = memoryStore();
    const { tool, done } = counter("pay");
    const page = counter("page", { readOnlyHint: true, openWorldHint: true });
    let begun = 0;
    const append: Store["append"] = (key, events, options) =>
      events.some((event) => event.type === "record" && event.kind === "started") && ++begun === 2
        ? Promise.reject(new Error("killed"))
        : inner.append(key, events, options);
    const asked: unknown[] = [];
    const approve: Approval["approve"] = async ({ call }) => asked.push(call.args.item) > 0;
    const policy = { tools: { page: "allow" } } as const;
    const agent = (store: Store, text: string) =>
      createAgent({
        provider: scripted([text]),
        tools: [tool, page.tool],
        store,
        keyRing,
        execution: { concurrency: 1, approval: { approve, policy, content: "ask" } },
      });
    const calls = block(["page", { item: "p" }], ["pay", { item: "a" }]);
    await agent({ ...inner, append }, calls).run("go", { conversation }).result;
    expect(
      (await inner.load({ conversation })).some((event) => event.type === "record" && event.kind === "content"),
    ).toBe(true);
    await agent(inner, "ok").recover({ conversation }).result;
    expect([asked, [...done]]).toEqual([["a"], [["a", 1]]]);
  });

  it("count once: a copy of an answer later in the log approves nothing", async () => {
    const { tool, done } = counter("pay");
    const asked: unknown[] = [];
    const approve: Approval["approve"] = async ({ call }) => {
      asked.push(call.args.item);
      return false;
    };
    const answer = await approvals(keyRing, ["a", "asked"], ["a", "approved"]);
    const results = [{ tool: "pay", status: "success", content: "pay a" }];
    const payload = { tools_executed: 1, success_count: 1, failure_count: 0 };
    const paid: LogEvent = { type: "result", content: JSON.stringify(results), payload, timestamp: 4 };
    const once = [call("pay", "a"), ...answer, started("a")];
    const options = { tools: [tool], execution: { approval: { approve } }, keyRing };

    const store = await crashed(...once, paid, call("pay", "a"), ...answer);
    await createAgent({ provider: scripted(["ok"]), ...options, store }).recover({ conversation }).result;
    expect(asked).toEqual(["a"]);
    expect(done.size).toBe(0);

    const first = await crashed(call("pay", "a"), ...answer);
    await createAgent({ provider: scripted(["ok"]), ...options, store: first }).recover({ conversation }).result;
    expect(asked).toEqual(["a"]);
    expect([...done]).toEqual([["a", 1]]);
  });

  it("hold wherever the process dies: no answered question is put again, no call runs twice or unapproved", async () => {
    const script = [block(["pay", { item: "a" }], ["pay", { item: "b" }], ["pay", { item: "c" }]), "done<end>"];
    for (let survived = 1; ; survived++) {
      const inner = memoryStore();
      let appends = 0;
      const dying: Store = {
        ...inner,
        append: (...batch) => (appends++ < survived ? inner.append(...batch) : Promise.reject(new Error("killed"))),
      };
      const asked: unknown[] = [];
      const { tool, done } = counter("pay");
      const approval: Approval = {
        async approve({ call }) {
          asked.push(call.args.item);
          return call.args.item !== "b";
        },
      };
      const agent = (store: Store, ...texts: string[]) =>
        createAgent({ provider: scripted(texts), tools: [tool], store, execution: { approval } });
      const first = await agent(dying, ...script).run("go", { conversation }).result;
      if (first.status === "completed") {
        expect(survived).toBeGreaterThan(10);
        break;
      }
      const stored = await inner.load({ conversation });
      const answered = answeredIn(stored);
      const before = asked.length;
      const second = agent(inner, stored.some(({ type }) => type === "call") ? "fine" : (script[0] ?? ""), "fine");
      expect(await second.recover({ conversation }).result).toMatchObject({ status: "completed", text: "fine" });
      const again = asked.slice(before);
      expect(again).toEqual([...new Set(again)]);
      expect(again.filter((item) => answered.has(item))).toEqual([]);
      expect(done.has("b")).toBe(false);
      for (const times of done.values()) expect(times).toBe(1);
      expect(await lastResults(inner)).toHaveLength(3);
    }
  });
});
