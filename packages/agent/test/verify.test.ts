import { type LogEvent, parseResults } from "@cogency/protocol";
import { OUTCOME_UNKNOWN } from "@cogency/protocol/host";
import { scripted } from "@cogency/provider";
import { memoryStore, redactionMark, type Store } from "@cogency/storage";
import { type CallOutcome, defineTool, type ToolAnnotations } from "@cogency/tools";
import type { VerifyContext } from "@cogency/tools/host";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createAgent } from "../src/index.ts";
import { block, conversation, resultsIn } from "./support/fixtures.ts";

const key = { conversation };

type Verify = (args: { item: string }, context: VerifyContext) => CallOutcome | Promise<CallOutcome>;

/** A tool that counts what it does, and the items about which it was asked what became of them. */
function payer(verify?: Verify, annotations: ToolAnnotations = {}) {
  const paid: string[] = [];
  const asked: string[] = [];
  const tool = defineTool({
    name: "pay",
    description: "Pay for an item.",
    input: z.object({ item: z.string() }),
    annotations,
    timeout: 20,
    execute({ item }) {
      paid.push(item);
      return `paid ${item}`;
    },
    ...(verify && {
      verify(args: { item: string }, context: VerifyContext) {
        asked.push(args.item);
        return verify(args, context);
      },
    }),
  });
  return { tool, paid, asked };
}

const call = (item: string, name = "pay"): LogEvent => ({
  type: "call",
  content: JSON.stringify({ name, args: { item } }),
  id: `call_${item}`,
  timestamp: 2,
});
const started = (item: string, ran?: string): LogEvent => ({
  type: "record",
  kind: "started",
  data: { id: `call_${item}`, ...(ran !== undefined && { call: ran }) },
  timestamp: 3,
});

/** A log whose process died with these events. */
async function crashed(...events: LogEvent[]): Promise<Store> {
  const store = memoryStore();
  await store.append(key, [{ type: "user", content: "go", timestamp: 1 }, ...events]);
  return store;
}

const kinds = async (store: Store) =>
  (await store.load(key)).flatMap((event) => (event.type === "record" ? [event.kind] : []));

const unknownA = [{ id: "call_a", name: "pay", args: { item: "a" } }];

describe("recovering a call that had begun, whose tool offers `verify`", () => {
  it("takes its value as the result if it took effect", async () => {
    const { tool, paid, asked } = payer(() => ({ outcome: "done", value: "receipt 7" }));
    const store = await crashed(call("a"), started("a"));
    const provider = scripted(["Paid.<end>"]);
    const result = await createAgent({ provider, tools: [tool], store }).recover(key).result;
    expect(result).toMatchObject({ status: "completed", text: "Paid.", toolErrors: 0 });
    expect(result).not.toHaveProperty("unknown");
    expect([paid, asked]).toEqual([[], ["a"]]);
    expect(await resultsIn(store)).toEqual([[{ tool: "pay", status: "success", content: "receipt 7" }]]);
    expect(JSON.stringify(provider.requests[0]?.messages)).toContain("receipt 7");
    expect(await kinds(store)).toContain("finished");
  });

  it("runs it if it had no effect, also if its tool is not idempotent; another crash then finds it not begun", async () => {
    const { tool, paid } = payer(() => ({ outcome: "not_done" }));
    const inner = await crashed(call("a"), started("a"));
    const dying: Store = {
      ...inner,
      append: (of, events, options) =>
        events.some((event) => event.type === "record" && event.kind === "started")
          ? Promise.reject(new Error("killed"))
          : inner.append(of, events, options),
    };
    const agentOn = (store: Store, ...tools: (typeof tool)[]) =>
      createAgent({ provider: scripted(["ok<end>"]), tools, store });
    expect(await agentOn(dying, tool).recover(key).result).toMatchObject({ status: "failed" });
    expect(paid).toEqual([]);
    expect((await kinds(inner)).at(-1)).toBe("not_done");

    const other = payer();
    await agentOn(inner, other.tool).recover(key).result;
    expect(other.paid).toEqual(["a"]);
    expect(await resultsIn(inner)).toMatchObject([[{ status: "success", content: "paid a" }]]);
  });

  const inTheDark: [string, Verify][] = [
    ["it does not know", () => ({ outcome: "unknown" })],
    ["`verify` throws", () => Promise.reject(new Error("the bank is closed"))],
    ["`verify` hangs", () => new Promise<never>(() => {})],
  ];

  it.each(inTheDark)("tells the model, and lists it in the result, if %s", async (_, verify) => {
    const { tool, paid } = payer(verify);
    const store = await crashed(call("a"), started("a"));
    const result = await createAgent({ provider: scripted(["Hm."]), tools: [tool], store }).recover(key).result;
    expect(result).toMatchObject({ status: "completed", toolErrors: 1, unknown: unknownA });
    expect(paid).toEqual([]);
    expect(await resultsIn(store)).toMatchObject([
      [{ tool: "pay", status: "failure", content: expect.stringContaining(OUTCOME_UNKNOWN) }],
    ]);
  });

  it("asks about the call as it ran", async () => {
    const { tool, asked } = payer(() => ({ outcome: "unknown" }));
    const ran = JSON.stringify({ name: "pay", args: { item: "b" } });
    const store = await crashed(call("a", "alias"), started("a", ran));
    const result = await createAgent({ provider: scripted(["ok"]), tools: [tool], store }).recover(key).result;
    expect(asked).toEqual(["b"]);
    expect(result.unknown).toEqual([{ id: "call_a", name: "pay", args: { item: "b" } }]);
  });

  it.each([
    ["as the model wrote them", call(redactionMark), started(redactionMark)],
    ["as it ran", call("a"), started("a", JSON.stringify({ name: "pay", args: { item: redactionMark } }))],
  ])("does not ask about arguments that a store has redacted, %s", async (_, ...events) => {
    const { tool, asked, paid } = payer(() => ({ outcome: "not_done" }));
    const store = await crashed(...events);
    const result = await createAgent({ provider: scripted(["ok"]), tools: [tool], store }).recover(key).result;
    expect([asked, paid]).toEqual([[], []]);
    expect(result.unknown).toMatchObject([{ name: "pay", args: { item: redactionMark } }]);
    expect((await resultsIn(store))[0]?.[0]?.content).toContain(OUTCOME_UNKNOWN);
  });

  it("does not ask about a call that ended, or that never began", async () => {
    const { tool, asked, paid } = payer(() => ({ outcome: "not_done" }));
    const result = { tool: "pay", status: "success" as const, content: "paid a" };
    const finished: LogEvent = { type: "record", kind: "finished", data: { id: "call_a", result }, timestamp: 3 };
    const store = await crashed(call("a"), call("b"), started("a"), finished);
    await createAgent({ provider: scripted(["ok"]), tools: [tool], store }).recover(key).result;
    expect([asked, paid]).toEqual([[], ["b"]]);
  });

  it("leaves the batch open if a deadline comes while its tool looks; the next recovery asks again", async () => {
    const deadline = new AbortController();
    let knows = false;
    const { tool, asked } = payer(() => {
      if (knows) return { outcome: "done", value: "receipt 7" };
      deadline.abort(new DOMException("too late", "TimeoutError"));
      return new Promise<never>(() => {});
    });
    const store = await crashed(call("a"), started("a"));
    const agent = createAgent({ provider: scripted(["ok<end>"]), tools: [tool], store });
    const first = await agent.recover({ ...key, signal: deadline.signal }).result;
    expect(first).toMatchObject({ status: "stopped", stop: { reason: "time_limit" }, unknown: unknownA });
    expect(await resultsIn(store)).toEqual([]);
    knows = true;
    expect(await agent.recover(key).result).toMatchObject({ status: "completed", toolErrors: 0 });
    expect(asked).toEqual(["a", "a"]);
    expect(await resultsIn(store)).toMatchObject([[{ content: "receipt 7" }]]);
  });

  it("is not asked again once the log has its answer, if the process dies after it", async () => {
    const { tool, asked, paid } = payer(() => ({ outcome: "done", value: "receipt 7" }));
    const inner = await crashed(call("a"), call("b"), started("a"));
    const dying: Store = {
      ...inner,
      append: (of, events, options) =>
        events.some(({ type }) => type === "result")
          ? Promise.reject(new Error("killed"))
          : inner.append(of, events, options),
    };
    const agentOn = (store: Store) => createAgent({ provider: scripted(["ok<end>"]), tools: [tool], store });
    expect(await agentOn(dying).recover(key).result).toMatchObject({ status: "failed" });
    expect(await agentOn(inner).recover(key).result).toMatchObject({ status: "completed" });
    // The end of b was to be stored with the results.
    expect([asked, paid]).toEqual([["a", "b"], ["b"]]);
    expect((await resultsIn(inner))[0]?.map(({ content }) => content)).toEqual(["receipt 7", "receipt 7"]);
  });
});

describe("a new prompt after a crash", () => {
  it.each<[CallOutcome["outcome"], object, boolean]>([
    ["done", { status: "success", content: "receipt 7" }, false],
    ["not_done", { status: "failure", content: expect.stringContaining("without any effect") }, false],
    ["unknown", { status: "failure", content: OUTCOME_UNKNOWN }, true],
  ])("asks what became of the call, and does not run it: %s", async (outcome, told, isUnknown) => {
    const { tool, paid, asked } = payer(() => ({ outcome, value: "receipt 7" }) as CallOutcome, {
      idempotentHint: true,
    });
    const store = await crashed(call("a"), call("b"), started("a"));
    const agent = createAgent({ provider: scripted(["I see.<end>"]), tools: [tool], store });
    const result = await agent.run("What now?", { conversation }).result;
    expect(result).toMatchObject({ status: "completed", text: "I see." });
    expect(result.unknown).toEqual(isUnknown ? unknownA : undefined);
    expect([asked, paid]).toEqual([["a"], []]);
    expect(await resultsIn(store)).toMatchObject([
      [
        { tool: "pay", ...told },
        { status: "failure", content: expect.stringContaining("interrupted") },
      ],
    ]);
    const log = await store.load(key, { types: ["user", "call", "result", "respond"] });
    expect(log.map(({ type }) => type)).toEqual(["user", "call", "call", "result", "user", "respond"]);
  });

  it("lists the calls whose tools cannot say it", async () => {
    const { tool, paid } = payer();
    const store = await crashed(call("a"), started("a"));
    const agent = createAgent({ provider: scripted(["I see.<end>"]), tools: [tool], store });
    expect((await agent.run("What now?", { conversation }).result).unknown).toEqual(unknownA);
    expect(paid).toEqual([]);
  });

  it("that is cancelled at once asks nothing, and lists the calls", async () => {
    const { tool, asked } = payer(() => ({ outcome: "not_done" }));
    const store = await crashed(call("a"), started("a"));
    const agent = createAgent({ provider: scripted([]), tools: [tool], store });
    const result = await agent.recover({ ...key, signal: AbortSignal.abort() }).result;
    expect(result).toMatchObject({ status: "stopped", stop: { reason: "user_requested" }, unknown: unknownA });
    expect(asked).toEqual([]);
    const [results] = (await store.load(key, { types: ["result"] })).map((event) =>
      event.type === "result" ? parseResults(event.content) : null,
    );
    expect(results?.[0]?.content).toBe(OUTCOME_UNKNOWN);
  });
});

describe("the calls of a run that may have taken effect", () => {
  it("are those whose bodies did not end when they were told to", async () => {
    const deaf = defineTool({
      name: "deaf",
      description: "Does not listen.",
      input: z.object({}),
      timeout: 5,
      grace: 0,
      execute: () => new Promise<never>(() => {}),
    });
    const { tool } = payer();
    const provider = scripted([block(["pay", { item: "a" }], ["deaf", {}]), "Hm.<end>"]);
    const result = await createAgent({ provider, tools: [deaf, tool] }).run("go").result;
    expect(result.unknown).toEqual([{ id: expect.any(String), name: "deaf", args: {} }]);
  });

  it("are absent from the result if there are none", async () => {
    const { tool } = payer();
    const provider = scripted([block(["pay", { item: "a" }]), "ok<end>"]);
    expect(await createAgent({ provider, tools: [tool] }).run("go").result).not.toHaveProperty("unknown");
  });
});
