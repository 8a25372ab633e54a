import { isPersisted } from "@cogency/protocol/host";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { type ApprovalRequest, createKeyRing, defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { block, collect, types } from "../test/support/fixtures.ts";
import { createAgent } from "./create-agent.ts";

const conversation = "c";
const deadline = () => new DOMException("The operation was aborted due to timeout", "TimeoutError");

/** Runs until the model hangs, then aborts with the reason. */
async function aborted(...reason: unknown[]) {
  const controller = new AbortController();
  const store = memoryStore();
  const provider = scripted([{ chunks: "Half", hang: true }]);
  const run = createAgent({ provider, store }).run("go", { conversation, stream: "token", signal: controller.signal });
  const seen: string[] = [];
  for await (const { type } of run) {
    seen.push(type);
    if (type === "respond") controller.abort(...reason);
  }
  return { store, seen, result: await run.result };
}

describe("a deadline", () => {
  it("interrupts the run, and does not report that the user ended it", async () => {
    const { store, seen, result } = await aborted(deadline());
    expect(seen).toEqual(["user", "respond", "metric", "interrupt"]);
    expect(result).toMatchObject({
      status: "stopped",
      text: "Half",
      stop: {
        reason: "time_limit",
        message: expect.stringContaining("deadline"),
        context: { reason: deadline().message },
      },
    });
    expect(types(await store.load({ conversation }))).not.toContain("cancelled");
  });

  it("is the abort of AbortSignal.timeout, also combined with other signals", async () => {
    const run = async (signal: AbortSignal) => {
      const provider = scripted([{ chunks: "Half", hang: true }]);
      return createAgent({ provider }).run("go", { signal }).result;
    };
    expect(await run(AbortSignal.timeout(1))).toMatchObject({ stop: { reason: "time_limit" } });
    const either = AbortSignal.any([new AbortController().signal, AbortSignal.timeout(1)]);
    expect(await run(either)).toMatchObject({ stop: { reason: "time_limit" } });
  });

  it.each([
    ["an error of that name", Object.assign(new Error("took too long"), { name: "TimeoutError" })],
    ["an error of another realm", { name: "TimeoutError", message: "took too long" }],
  ])("may be %s", async (_, reason) => {
    expect((await aborted(reason)).result.stop?.reason).toBe("time_limit");
  });

  it("may pass before the run begins", async () => {
    const store = memoryStore();
    const run = createAgent({ provider: scripted([]), store }).run("go", {
      conversation,
      signal: AbortSignal.abort(deadline()),
    });
    expect(types(await collect(run))).toEqual(["user", "interrupt"]);
    expect((await run.result).stop?.reason).toBe("time_limit");
  });

  it("in the middle of a batch gives every call its result, and `recover` continues the run", async () => {
    const controller = new AbortController();
    const store = memoryStore();
    const slow = defineTool({
      name: "slow",
      description: "Take long.",
      input: z.object({}),
      execute: (_, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
          controller.abort(deadline());
        }),
    });
    const provider = scripted([block(["slow", {}]), "I could not wait."]);
    const agent = createAgent({ provider, tools: [slow], store });
    const run = agent.run("go", { conversation, signal: controller.signal });
    const events = await collect(run);
    expect(types(events).slice(-3)).toEqual(["result", "metric", "interrupt"]);
    const log = types(await store.load({ conversation }));
    expect(log.at(-2)).toBe("result");
    expect(log.every(isPersisted)).toBe(true);
    const recovered = agent.recover({ conversation });
    expect(types(await collect(recovered))).toEqual(["respond", "metric"]);
    expect(await recovered.result).toMatchObject({ status: "completed", text: "I could not wait." });
  });
});

describe("a deadline while a question is open", () => {
  const keyRing = createKeyRing(["k".repeat(32)]);

  async function interrupted(times: number) {
    const store = memoryStore();
    const ran: string[] = [];
    const asked: string[] = [];
    const pay = defineTool({
      name: "pay",
      description: "Pay.",
      input: z.object({ item: z.string() }),
      execute: ({ item }) => ran.push(item),
    });
    let deadline = new AbortController();
    /** A deadline that comes while the open question is put. */
    const signal = () => {
      deadline = new AbortController();
      return deadline.signal;
    };
    const agent = (answer: "nobody" | "yes", ...texts: string[]) => {
      const approve = async ({ call }: ApprovalRequest): Promise<boolean> => {
        asked.push(`${call.args.item}`);
        if (answer === "yes" || call.args.item === "first") return true;
        setImmediate(() => deadline.abort(new DOMException("The time is over.", "TimeoutError")));
        return new Promise<never>(() => {});
      };
      return createAgent({
        provider: scripted(texts),
        tools: [pay],
        store,
        keyRing,
        execution: { approval: { approve } },
      });
    };
    const calls = block(["pay", { item: "first" }], ["pay", { item: "open" }], ["pay", { item: "last" }]);
    const run = agent("nobody", calls).run("go", { conversation, signal: signal() });
    const seen = types(await collect(run));
    expect(await run.result).toMatchObject({ status: "stopped", stop: { reason: "time_limit" } });
    for (let time = 1; time < times; time++) {
      const again = agent("nobody").recover({ conversation, signal: signal() });
      expect(types(await collect(again))).toEqual(["interrupt"]);
      expect(await again.result).toMatchObject({ status: "stopped", stop: { reason: "time_limit" } });
    }
    return { store, ran, asked, agent, seen };
  }

  it.each([1, 3])("leaves the question open: after %d interruptions `recover` puts it again", async (times) => {
    const { store, ran, asked, agent, seen } = await interrupted(times);
    expect(seen.slice(-2)).toEqual(["metric", "interrupt"]);
    expect(types(await store.load({ conversation }))).not.toContain("result");
    expect([ran, asked]).toEqual([["first"], ["first", ...Array.from({ length: times }, () => "open")]]);

    expect(await agent("yes", "Paid.").recover({ conversation }).result).toMatchObject({
      text: "Paid.",
      toolErrors: 0,
    });
    expect(asked.slice(-2)).toEqual(["open", "last"]);
    expect(ran).toEqual(["first", "open", "last"]);
    const [result] = await store.load({ conversation }, { types: ["result"] });
    expect(result).toMatchObject({ payload: { tools_executed: 3, success_count: 3, failure_count: 0 } });
  });

  it("runs no call of the batch after a new prompt; the model reads what happened to each", async () => {
    const { store, ran, agent } = await interrupted(1);
    await agent("yes", "ok").run("Something else", { conversation }).result;
    expect(ran).toEqual(["first"]);
    const [result] = await store.load({ conversation }, { types: ["result"] });
    expect(result).toMatchObject({ payload: { tools_executed: 1, success_count: 1, failure_count: 2 } });
  });

  it("is closed when the user cancels", async () => {
    const { store, agent } = await interrupted(1);
    const controller = new AbortController();
    const run = agent("nobody").recover({ conversation, signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    expect(types(await collect(run))).toEqual(["result", "interrupt", "cancelled"]);
    expect(types(await store.load({ conversation })).slice(-2)).toEqual(["result", "cancelled"]);
  });
});

describe("a user who cancels", () => {
  it.each<[string, unknown, string | undefined]>([
    ["a text", "The tab was closed", "The tab was closed"],
    ["an empty text", "", undefined],
    ["an error", new Error("no money left"), "no money left"],
    ["an AbortError with a message of its own", new DOMException("Ctrl-C", "AbortError"), "Ctrl-C"],
    ["an error without a message", new TypeError(), "TypeError"],
    ["a number", 7, "7"],
    ["an object", { by: "ada" }, '{"by":"ada"}'],
    ["a symbol", Symbol("over"), "Symbol(over)"],
    ["null", null, undefined],
    ["nothing", undefined, undefined],
  ])("gets the reason in `stop.message` if it is %s", async (_, given, reason) => {
    const { store, seen, result } = await aborted(given);
    expect(seen).toEqual(["user", "respond", "metric", "interrupt", "cancelled"]);
    expect(types(await store.load({ conversation })).at(-1)).toBe("cancelled");
    expect(result.stop).toEqual({
      reason: "user_requested",
      message: reason === undefined ? "The run was cancelled." : `The run was cancelled: ${reason}`,
      context: reason === undefined ? {} : { reason },
    });
  });

  it("may give a reason that JSON cannot hold", async () => {
    const cycle: { self?: object } = {};
    cycle.self = cycle;
    expect((await aborted(cycle)).result.stop?.context).toEqual({ reason: "an object that cannot be written as JSON" });
  });
});
