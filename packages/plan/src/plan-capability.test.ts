import { createAgent, protocolDriver } from "@cogency/agent";
import { compaction } from "@cogency/agent/history";
import { nativeDriver } from "@cogency/agent/native";
import { reactDriver } from "@cogency/agent/react";
import { type LogEvent, toMessages } from "@cogency/protocol";
import { type ModelRequest, type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PlanStep } from "./plan.ts";
import { plan } from "./plan-capability.ts";
import { planOf } from "./plans-of.ts";

const block = (...calls: object[]) => `<execute>${JSON.stringify(calls)}</execute>`;
const update = (steps: unknown, note?: string) => ({ name: "plan", args: { steps, ...(note && { note }) } });
const steps = (now: number, count = 3): PlanStep[] =>
  Array.from({ length: count }, (_, at) => ({
    step: `Step ${at}`,
    state: at < now ? "done" : at === now ? "now" : "open",
  }));

function agentWith(answers: Parameters<typeof scripted>[0], options: Partial<Parameters<typeof createAgent>[0]> = {}) {
  const provider = scripted(answers);
  const store = memoryStore();
  return { agent: createAgent({ provider, store, ...options }).use(plan()), provider, store };
}

/** The length of what a request holds of the conversation. */
const sizeOf = (request: ModelRequest | undefined) => JSON.stringify(request?.messages).length;

describe("an agent with a plan", () => {
  it("keeps what the model wrote last, and answers in a few bytes", async () => {
    const { agent, store } = agentWith([block(update(steps(0))), block(update(steps(1))), "Done.<end>"]);
    await agent.ask("go", { conversation: "c" });
    const log = await store.load({ conversation: "c" });
    expect(planOf(log)?.steps).toEqual(steps(1));
    expect(log.flatMap((event) => (event.type === "result" ? [event.content] : []))).toEqual(
      Array(2).fill('[{"tool":"plan","status":"success","content":"ok"}]'),
    );
  });

  it("tells the model what is wrong with a plan, and the one before stands", async () => {
    const wrong = update([
      { step: "a", state: "now" },
      { step: "b", state: "now" },
    ]);
    const { agent, provider, store } = agentWith([block(update(steps(0))), block(wrong), "Done.<end>"]);
    await agent.ask("go", { conversation: "c" });
    expect(planOf(await store.load({ conversation: "c" }))?.steps).toEqual(steps(0));
    expect(JSON.stringify(provider.requests.at(-1))).toContain("2 steps are `now`");
    expect(JSON.stringify(provider.requests.at(-1))).toContain("Step 2");
  });

  it("takes the last call of a block", async () => {
    const { agent, store } = agentWith([block(update(steps(0)), update(steps(1)), update(steps(2))), "Done.<end>"]);
    await agent.ask("go", { conversation: "c" });
    expect(planOf(await store.load({ conversation: "c" }))?.steps).toEqual(steps(2));
  });

  it("has requests of the same size after 100 updates, with the current plan once", async () => {
    const updates = Array.from({ length: 101 }, (_, at) => update([{ step: `Step ${100 + at}`, state: "now" }]));
    const { agent, provider } = agentWith([...updates.map((one) => block(one)), "Done.<end>"], {
      budget: { steps: 200, toolCalls: 200 },
    });
    const { status } = await agent.ask("go", { conversation: "c" });
    const sizes = provider.requests.slice(1).map(sizeOf);
    expect([status, sizes.length, new Set(sizes).size]).toEqual(["completed", 101, 1]);
    expect(JSON.stringify(provider.requests.at(-1)?.messages)).toContain("Step 200");
  });

  it("leaves the messages before the plan that was replaced as they are, byte for byte", async () => {
    const other = { name: "plan", args: { steps: "no plan" } };
    const { agent, provider } = agentWith([
      block(other),
      block(update(steps(0))),
      block(other),
      block(update(steps(1))),
      "Done.<end>",
    ]);
    await agent.ask("go", { conversation: "c" });
    const [, , third, , last] = provider.requests;
    // The prompt, the refused call and its result; then came the plan that a later one replaces.
    expect(last?.messages.slice(0, 3)).toEqual(third?.messages.slice(0, 3));
    expect(JSON.stringify(last?.messages).split("Step 2").length - 1).toBe(1);
  });

  it("keeps the plan in requests when a summary stands for the call that wrote it, once", async () => {
    const reply = ({ system }: ModelRequest) =>
      system.startsWith("You write the summary") ? "They did something." : `Noted. ${"More. ".repeat(120)}<end>`;
    const { agent, provider, store } = agentWith([block(update(steps(1))), ...Array(20).fill(reply)], {
      history: compaction({ window: 2000 }),
    });
    for (let turn = 0; turn < 7; turn++) await agent.ask(`Turn ${turn} ${"and on ".repeat(20)}`, { conversation: "c" });
    const log = await store.load({ conversation: "c" });
    expect(log.some((event) => event.type === "record" && event.kind === "summary")).toBe(true);
    const text = JSON.stringify(provider.requests.at(-1)?.messages);
    expect(text).not.toContain("<execute>");
    expect(text.split("The steps of your plan").length - 1).toBe(1);
    expect(text).toContain("[x] Step 0\\n[>] Step 1\\n[ ] Step 2");
    expect(planOf(log)?.steps).toEqual(steps(1));
  });

  it("has the plan of a fork as it was at the point of the fork", async () => {
    const { agent, store } = agentWith([block(update(steps(0))), "A.<end>", block(update(steps(1))), "B.<end>"]);
    await agent.ask("one", { conversation: "c" });
    const at = (await store.load({ conversation: "c" })).length;
    await agent.ask("two", { conversation: "c" });
    const early = await agent.fork("c", { at });
    const late = await agent.fork("c");
    expect(planOf(await store.load({ conversation: early }))?.steps).toEqual(steps(0));
    expect(planOf(await store.load({ conversation: late }))?.steps).toEqual(steps(1));
  });
});

describe.each(["protocol", "native", "react"] as const)("a plan with the driver %s", (name) => {
  const driver = { protocol: protocolDriver(), native: nativeDriver(), react: reactDriver() }[name];
  const call = (at: number): ScriptedStep => {
    const args = { steps: steps(at) };
    if (name === "native") {
      return { events: [{ type: "tool_call", id: String(at), name: "plan", arguments: JSON.stringify(args) }] };
    }
    return name === "react"
      ? JSON.stringify({ thought: "On it.", type: "call_tool", tool: "plan", args })
      : block({ name: "plan", args });
  };
  const done = {
    protocol: "Done.<end>",
    native: "Done.",
    react: '{"thought":"","type":"final_answer","answer":"Done."}',
  }[name];

  it("stands in the log, and once in the request, whose record says how the log gives it", async () => {
    const { agent, provider, store } = agentWith([call(0), call(1), call(2), done], { driver, recordRequests: true });
    await agent.ask("go", { conversation: "c" });
    const log = await store.load({ conversation: "c" });
    expect(planOf(log)?.steps).toEqual(steps(2));
    const last = provider.requests.at(-1);
    expect(JSON.stringify(last?.messages).split("Step 1").length - 1).toBe(1);
    const record = log.findLast((event) => event.type === "record" && event.kind === "request");
    if (record?.type !== "record" || record.kind !== "request") throw new Error("There is no record.");
    const { form = "json", without } = record.data.messages;
    expect(without).toHaveLength(2);
    const before = log.filter(({ seq }) => seq < record.seq);
    expect(toMessages(before, { form, without })).toEqual(last?.messages);
  });
});

describe("planOf", () => {
  const state = fc.constantFrom("open", "now", "done", "dropped", "pending");
  const list = fc.array(fc.record({ step: fc.string({ minLength: 1, maxLength: 8 }), state }), { maxLength: 4 });

  it("is the last valid update, whatever the model wrote, and of every beginning of the log", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(list, { minLength: 1, maxLength: 6 }), async (updates) => {
        const { agent, store } = agentWith([...updates.map((one) => block(update(one))), "Done.<end>"], {
          // The same plan three times in a row is no reason to stop here.
          budget: { steps: 20, repeats: 20 },
        });
        await agent.ask("go", { conversation: "c" });
        const log = await store.load({ conversation: "c" });
        const valid = updates.filter(
          (one) =>
            one.every(({ step, state }) => step.trim() !== "" && state !== "pending") &&
            one.filter(({ state }) => state === "now").length <= 1,
        );
        const plain = (one: (typeof updates)[number] | undefined) =>
          one?.map(({ step, state }) => ({ step: step.replace(/\s+/gu, " ").trim(), state }));
        expect(planOf(log)?.steps).toEqual(plain(valid.at(-1)));
        // Read piece by piece, as the log grows, it is the same as read at once.
        const grown: LogEvent[] = [];
        for (const event of log) {
          grown.push(event);
          expect(planOf(grown)).toEqual(planOf([...grown]));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("reads a log from elsewhere without throwing", () => {
    const odd = [
      { type: "call", id: "a", content: '{"name":"plan"' },
      { type: "call", id: "b", content: '{"name":"plan","args":null}' },
      { type: "record", kind: "started", data: null },
      { type: "record", kind: "finished", data: undefined },
      { type: "record", kind: "finished", data: { id: "b", result: { status: "success" } } },
      { type: "result", content: "no JSON", ids: ["a", "b"] },
      { type: "result", content: "[]" },
      { type: "call", id: "c", content: 7 },
      { type: "call", id: "d", content: '{"name":"plan","args":{"steps":[]}}' },
      { type: "record", kind: "started" },
      { type: "result", content: null, ids: "d" },
    ] as unknown as LogEvent[];
    expect(planOf(odd)).toBeUndefined();
  });
});
