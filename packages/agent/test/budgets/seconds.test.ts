import type { RunEvent } from "@cogency/protocol";
import { type Provider, type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { createKeyRing, defineTool } from "@cogency/tools";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Agent, type AgentOptions, createAgent, type RunOptions, type RunResult } from "../../src/index.ts";
import { block, conversation, echo, endless, types } from "../support/fixtures.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

const hanging: ScriptedStep = { chunks: "Half", hang: true };

/** Needs approval. */
const act = defineTool({
  name: "act",
  description: "Acts.",
  input: { type: "object", properties: {} },
  approval: "ask",
  execute: () => "acted",
});

/** Asks a person. */
const ask = defineTool({
  name: "ask",
  description: "Asks.",
  input: { type: "object", properties: {} },
  asks: true,
  execute: (_, { ask }) => ask({ message: "What now?" }),
});

function agentOf(steps: ScriptedStep[], options: Partial<AgentOptions> = {}) {
  const provider = scripted(steps);
  const store = memoryStore();
  const tools = [echo, endless, act, ask];
  const agent = createAgent({
    provider,
    store,
    tools,
    keyRing: createKeyRing(["a ring that several machines have in common"]),
    ...options,
  });
  return { agent, provider, store };
}

/** The next event of this type in any run of the agent: what comes before it takes no time of the test's clock. */
function next(agent: Agent, type: RunEvent["type"]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const remove = agent.on(type, () => {
    remove();
    resolve();
  });
  return promise;
}

/** Starts a run, and waits until it asks its model. `isOver` says whether it has ended. */
async function begun(agent: Agent, options: RunOptions = {}) {
  let result: RunResult | undefined;
  const asked = next(agent, "request_started");
  const ended = agent.ask("go", { conversation, ...options }).then((ended) => {
    result = ended;
    return ended;
  });
  await asked;
  return { ended, isOver: () => result !== undefined };
}

describe("the time of a run", () => {
  it("is three hours: then the request is aborted, and the text so far is kept", async () => {
    const { agent, store } = agentOf([hanging]);
    const { ended, isOver } = await begun(agent);
    await seconds(10_799);
    expect(isOver()).toBe(false);
    await seconds(1.5);
    expect(await ended).toMatchObject({
      status: "stopped",
      text: "Half",
      stop: {
        reason: "time_limit",
        message:
          "The run used up its time (10800 s). The limit is `budget.seconds`. The run is not over: `recover` goes on with it.",
        context: { elapsedSeconds: 10_800, maxSeconds: 10_800 },
      },
    });
    const stored = await store.load({ conversation });
    expect(stored).toContainEqual(expect.objectContaining({ type: "respond", content: "Half" }));
    expect(types(stored)).not.toContain("cancelled");
    expect(stored.some((event) => event.type === "record" && event.kind === "run")).toBe(false);
  });

  it("aborts a provider and tools that do not end by themselves", async () => {
    const { agent: calling, store } = agentOf([block(["endless", {}]), "Done."], { budget: { seconds: 2 } });
    const started = next(calling, "tool_started");
    const { ended } = await begun(calling);
    await started;
    await seconds(2.5);
    expect((await ended).stop?.reason).toBe("time_limit");
    expect((await store.load({ conversation })).findLast(({ type }) => type === "result")).toMatchObject({
      payload: { failure_count: 1 },
    });
    const never: Provider = {
      ...scripted([]),
      async *stream() {
        await new Promise(() => {});
      },
    };
    const { agent: deaf } = agentOf([], { provider: never, budget: { seconds: 2 } });
    const run = await begun(deaf);
    await seconds(2.5);
    expect((await run.ended).stop?.reason).toBe("time_limit");
  });

  it("begins anew where `recover` goes on", async () => {
    const { agent } = agentOf([hanging, { chunks: "Done.", delay: 1500 }], { budget: { seconds: 2 } });
    const first = await begun(agent);
    await seconds(2.5);
    expect((await first.ended).status).toBe("stopped");
    const asked = next(agent, "request_started");
    const second = agent.recover({ conversation }).result;
    await asked;
    await seconds(1.9);
    expect(await second).toMatchObject({ status: "completed", text: "Done." });
  });

  it("is that of each run, also of two at once", async () => {
    const { agent } = agentOf([hanging, hanging], { budget: { seconds: 10 } });
    const first = await begun(agent, { conversation: "a" });
    await seconds(6);
    const second = await begun(agent, { conversation: "b" });
    await seconds(5);
    expect([first.isOver(), second.isOver()]).toEqual([true, false]);
    await seconds(5);
    expect((await second.ended).stop?.context).toEqual({ elapsedSeconds: 10, maxSeconds: 10 });
  });

  it("may be a part of a second, or without end", async () => {
    const { agent } = agentOf([hanging, { chunks: "Done.", delay: 1_000_000 }]);
    const short = await begun(agent, { budget: { seconds: 0.5 } });
    await seconds(0.7);
    expect((await short.ended).stop?.context).toEqual({ elapsedSeconds: 0.5, maxSeconds: 0.5 });
    const long = await begun(agent, { budget: { seconds: Number.POSITIVE_INFINITY } });
    await seconds(1001);
    expect((await long.ended).status).toBe("completed");
  });

  it("leaves no timer when the run has ended, however it did", async () => {
    const { agent } = agentOf(["Done.<end>", { error: new Error("down") }, hanging]);
    await (await begun(agent)).ended;
    await (await begun(agent)).ended;
    const controller = new AbortController();
    const cancelled = await begun(agent, { signal: controller.signal });
    await seconds(1);
    controller.abort();
    await seconds(1);
    expect(await cancelled.ended).toMatchObject({ status: "stopped", stop: { reason: "user_requested" } });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not count before the run has its lease", async () => {
    const { agent, store } = agentOf(["Done.<end>"], { budget: { seconds: 5 } });
    const lease = await store.lease({ conversation }, { owner: "other", ttl: 100_000 });
    const waiting = agent.recover({ conversation, wait: true }).result;
    await store.post({ conversation }, { kind: "prompt", content: "go" }, { id: "m" });
    await seconds(60);
    await lease.release();
    await seconds(4);
    expect(await waiting).toMatchObject({ status: "completed", text: "Done." });
  });

  it.each([0, -1, Number.NaN])("is more than nothing, not %s", (given) => {
    expect(() => agentOf([], { budget: { seconds: given } })).toThrow(
      new RangeError(`budget.seconds is ${given}; give a time above 0.`),
    );
  });
});

describe("while a person is asked, the time stands still", () => {
  const budget = { seconds: 5 };

  it.each<[string, string, (wait: Promise<boolean>) => RunOptions, RunEvent["type"]]>([
    ["for approval", "act", (wait) => ({ approve: () => wait }), "approval_requested"],
    ["for approval that is denied", "act", (wait) => ({ approve: async () => !(await wait) }), "approval_requested"],
    ["what a tool wants to know", "ask", (wait) => ({ answer: async () => `${await wait}` }), "question_asked"],
  ])("%s, and runs again after the answer", async (_, tool, options, event) => {
    const { agent } = agentOf([block([tool, {}]), hanging], { budget });
    const answered = Promise.withResolvers<boolean>();
    const asked = next(agent, event);
    const { ended, isOver } = await begun(agent, options(answered.promise));
    await asked;
    await seconds(3600);
    expect(isOver()).toBe(false);
    const request = next(agent, "request_started");
    answered.resolve(true);
    await request;
    await seconds(4.5);
    expect(isOver()).toBe(false);
    await seconds(1);
    expect((await ended).stop?.reason).toBe("time_limit");
  });

  it("for two calls of one block, until both have their answers", async () => {
    const { agent } = agentOf([block(["act", {}], ["act", {}]), hanging], { budget });
    const answers = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()];
    let asked = 0;
    const approve = async () => answers[asked++]?.promise ?? false;
    const first = next(agent, "approval_requested");
    const { ended, isOver } = await begun(agent, { approve });
    await first;
    await seconds(100);
    const second = next(agent, "approval_requested");
    answers[0]?.resolve(true);
    await second;
    await seconds(100);
    expect(isOver()).toBe(false);
    const request = next(agent, "request_started");
    answers[1]?.resolve(true);
    await request;
    await seconds(6);
    expect((await ended).stop?.reason).toBe("time_limit");
  });

  it("and a run whose question nobody here answers ends as `waiting`", async () => {
    const { agent } = agentOf([block(["act", {}])], { budget, whenUnanswered: "wait" });
    const { ended } = await begun(agent);
    expect((await ended).status).toBe("waiting");
    expect(vi.getTimerCount()).toBe(0);
  });
});
