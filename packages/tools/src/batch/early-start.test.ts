import { getEventListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { batchContext, executorOf, freeTool, never, parallel, sequential } from "../../test/support/fixtures.ts";
import type { BatchOptions, Journal, ToolEvent } from "../host.ts";
import type { Executor, ExecutorOptions, ToolHook } from "../index.ts";

const readOnly = { annotations: { readOnlyHint: true } };

/** Tools that tell when they began; `look` only reads, `touch` does not. */
function setup(options: Omit<ExecutorOptions, "registry"> = {}) {
  const began: unknown[] = [];
  const body = (args: object) => {
    began.push(Object.values(args)[0]);
    return began.length;
  };
  const tools = [
    freeTool("look", body, readOnly),
    freeTool("touch", body),
    freeTool("hang", never, readOnly),
    freeTool("fail", () => Promise.reject(new Error("no")), readOnly),
  ];
  return { began, executor: executorOf(tools, { earlyStart: true, ...options }) };
}

const call = (name: string, n: number | string = 0) => ({ name, args: { n }, id: `${name}_${n}` });
const announced = () => delay(5);

async function open(executor: Executor, names: string[], options: BatchOptions = parallel, journal?: Journal) {
  const batch = executor.open(batchContext({ ...(journal && { journal }) }), options);
  for (const [index, name] of names.entries()) batch.add(call(name, index));
  await announced();
  return batch;
}

describe("early start", () => {
  it("begins read-only calls as they are announced, until the first one that is not", async () => {
    const { began, executor } = setup();
    const batch = await open(executor, ["look", "look", "touch", "look"]);
    expect(began).toEqual([0, 1]);
    const executions = await batch.run();
    expect(began).toEqual([0, 1, 2, 3]);
    expect(executions.map(({ id, outcome }) => [id, outcome])).toEqual([
      ["look_0", "success"],
      ["look_1", "success"],
      ["touch_2", "success"],
      ["look_3", "success"],
    ]);
  });

  it.each<[string, Omit<ExecutorOptions, "registry">, BatchOptions]>([
    ["without the option", { earlyStart: false }, parallel],
    ["in a sequential batch", {}, sequential],
    ["with throwOnToolFailure", { throwOnToolFailure: true }, parallel],
    ["with stopOnToolBlock", { stopOnToolBlock: true }, parallel],
  ])("does not happen %s", async (_, options, mode) => {
    const { began, executor } = setup(options);
    const batch = await open(executor, ["look", "look"], mode);
    expect(began).toEqual([]);
    await batch.run();
    expect(began).toEqual([0, 1]);
  });

  it("continues past calls that cannot run", async () => {
    const { began, executor } = setup();
    const batch = await open(executor, ["nope", "look"]);
    expect(began).toEqual([1]);
    expect((await batch.run()).map(({ outcome }) => outcome)).toEqual(["failure", "success"]);
  });

  it("runs each call once, also when the batch closes while calls are being prepared", async () => {
    const { began, executor } = setup();
    const batch = executor.open(batchContext(), parallel);
    for (const n of [0, 1, 2]) batch.add(call("look", n));
    const executions = await batch.run();
    expect(began.toSorted()).toEqual([0, 1, 2]);
    expect(executions.map(({ id }) => id)).toEqual(["look_0", "look_1", "look_2"]);
  });

  it("journals a call only once the batch runs, its beginning before its end", async () => {
    const entries: string[] = [];
    const journal: Journal = {
      question() {},
      approval: () => {},
      started: ({ id }) => void entries.push(`started ${id}`),
      finished: ({ id }) => void entries.push(`finished ${id}`),
    };
    const { executor } = setup();
    const batch = await open(executor, ["look", "touch"], parallel, journal);
    expect(entries).toEqual([]);
    await batch.run();
    expect(entries.filter((entry) => entry.endsWith("look_0"))).toEqual(["started look_0", "finished look_0"]);
    expect(entries).toHaveLength(4);
  });

  it("ends when the batch is discarded: running calls are aborted, no other begins, the journal gets no entry", async () => {
    const entries: string[] = [];
    const events: ToolEvent[] = [];
    const journal: Journal = {
      question() {},
      approval: () => {},
      started: ({ id }) => void entries.push(id),
      finished: ({ id }) => void entries.push(id),
    };
    const { began, executor } = setup({ observer: (event) => events.push(event) });
    const batch = await open(executor, ["look", "hang", "fail", "touch"], parallel, journal);
    await batch.discard();
    expect(began).toEqual([0]);
    expect(entries).toEqual([]);
    const ended = events.flatMap((event) => (event.type === "completed" ? [event.execution] : []));
    expect(ended.map(({ id, outcome }) => [id, outcome])).toEqual([
      ["look_0", "cancelled"],
      ["fail_2", "cancelled"],
      ["hang_1", "cancelled"],
    ]);
    expect(ended[0]).not.toHaveProperty("value.n");
  });

  it("ends with the run: cancelling before the batch closes aborts the calls that began", async () => {
    const user = new AbortController();
    let reason: unknown;
    const watch = freeTool(
      "watch",
      (_, { signal }) => {
        signal.addEventListener("abort", () => {
          reason = signal.reason;
        });
        return never();
      },
      readOnly,
    );
    const batch = executorOf([watch], { earlyStart: true }).open(batchContext({ signal: user.signal }), parallel);
    batch.add(call("watch"));
    await announced();
    user.abort("enough");
    expect(reason).toBe("enough");
    await batch.discard();
  });

  it("puts no question before the batch closes, and begins no call that needs an answer", async () => {
    const asked: string[] = [];
    const { began, executor } = setup({
      approval: {
        policy: ({ args }) => (args.n === 0 ? "ask" : "allow"),
        approve: async ({ call }) => asked.push(call.id) > 0,
      },
    });
    const batch = await open(executor, ["look", "look"]);
    expect([asked, began]).toEqual([[], [1]]);
    await batch.run();
    expect([asked, began]).toEqual([["look_0"], [1, 0]]);
  });

  it("begins no read-only call that reaches outside once the conversation holds private content", async () => {
    const asked: string[] = [];
    const began: unknown[] = [];
    const body = (args: object) => began.push(Object.values(args)[0]);
    const tools = [
      freeTool("look", body, readOnly),
      freeTool("search", body, { annotations: { readOnlyHint: true, openWorldHint: true } }),
    ];
    const approve = async ({ call }: { call: { id: string } }) => asked.push(call.id) > 0;
    const executor = executorOf(tools, { earlyStart: true, approval: { content: "ask", approve } });
    const content = [{ holds: "private", source: "read .env" }] as const;
    for (const [holds, early] of [
      [content, [1]],
      [[], [0, 1, 2]],
    ] as const) {
      asked.length = 0;
      began.length = 0;
      const batch = executor.open(batchContext({ content: holds }), parallel);
      for (const [index, name] of ["search", "look", "search"].entries()) batch.add(call(name, index));
      await announced();
      expect([asked, began]).toEqual([[], early]);
      await batch.run();
      expect([asked, began.toSorted()]).toEqual([holds.length > 0 ? ["search_0", "search_2"] : [], [0, 1, 2]]);
    }
  });

  it("shows hooks each call once, in call order", async () => {
    const seen: string[] = [];
    const { executor } = setup({
      hooks: [{ name: "watch", beforeToolUse: ({ call }) => void seen.push(call.id) }],
    });
    const batch = await open(executor, ["look", "touch", "look"]);
    expect(seen).toEqual(["look_0", "touch_1"]);
    await batch.run();
    expect(seen).toEqual(["look_0", "touch_1", "look_2"]);
  });

  it("keeps within the concurrency, and frees the slot when the body ends", async () => {
    const { began, executor } = setup({ concurrency: 1 });
    const batch = await open(executor, ["look", "look", "look"]);
    expect(began).toEqual([0, 1, 2]);
    await batch.run();
  });

  it("runs a call once that is still being prepared when the batch closes", async () => {
    const events: ToolEvent[] = [];
    const hooks: ToolHook[] = [{ name: "slow", beforeToolUse: () => delay(5, undefined) }];
    const { began, executor } = setup({ hooks, observer: (event) => events.push(event) });
    await executor.run([call("look", 0), call("look", 1)], batchContext(), parallel);
    expect(began).toEqual([0, 1]);
    expect(events.filter(({ type }) => type === "completed")).toHaveLength(2);
  });

  it.each(["run", "discard"] as const)("leaves no listener on the signal after `%s`", async (end) => {
    const { signal } = new AbortController();
    const { executor } = setup();
    const batch = executor.open(batchContext({ signal }), parallel);
    for (const n of [0, 1, 2]) batch.add(call("look", n));
    await announced();
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    await batch[end]();
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
