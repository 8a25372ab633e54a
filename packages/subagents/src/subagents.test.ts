import { protocolDriver } from "@cogency/agent";
import type { RunEvent } from "@cogency/protocol";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import {
  agentOf,
  block,
  childrenOf,
  conversation,
  give,
  helper,
  offeredIn,
  resultsIn,
  tool,
  usage,
  used,
} from "../test/support/play.ts";
import { subagents } from "./subagents.ts";

const price = { input: 1_000_000, output: 1_000_000 };

describe("an agent that a call starts", () => {
  it("reads its own instructions and the prompt alone, and its answer is the result of the call", async () => {
    const finder = helper("finder", ["Found it.<end>"]);
    const { agent, provider } = agentOf([block(give("finder", "Find it.")), "Done.<end>"], [finder], {
      instructions: "You lead.",
    });
    expect(await agent.ask("Go.", { conversation })).toMatchObject({ status: "completed", text: "Done." });
    const [request] = finder.provider.requests;
    expect(request?.system).toContain("You are finder.");
    expect(request?.system).not.toContain("You lead.");
    expect(request?.messages).toEqual([{ role: "user", content: "Find it." }]);
    const told = JSON.stringify(provider.requests[1]);
    expect(told).toContain("Found it.");
    expect(told).not.toContain("You are finder.");
  });

  it("has a conversation of its own, and each names the other", async () => {
    const store = memoryStore();
    const { agent } = agentOf([block(give("finder")), "Done.<end>"], [helper("finder", ["Yes.<end>"])], { store });
    await agent.ask("Go.", { conversation, user: "ada" });
    const log = await store.load({ conversation, user: "ada" });
    const id = log.find((event) => event.type === "call")?.id;
    const records = log.flatMap((event) => (event.type === "record" && event.kind === "child" ? event.data : []));
    const [{ conversation: name = "" } = {}] = records;
    expect(records).toEqual([
      { call: id, agent: "finder", conversation: name },
      { call: id, agent: "finder", conversation: name, used: expect.objectContaining({ steps: 1 }) },
    ]);
    const own = await store.load({ conversation: name, user: "ada" });
    expect(own.find((event) => event.type === "record" && event.kind === "parent")).toMatchObject({
      data: { conversation, call: id, root: conversation, agents: ["finder"] },
    });
    expect(own.some((event) => event.type === "respond")).toBe(true);
    expect(log.some((event) => event.type === "user" && event.content === "p")).toBe(false);
  });

  it("has its events on the timeline of the run that has started it, under its call, at any depth", async () => {
    const inner = helper("inner", ["Deep.<end>"]);
    const outer = helper("outer", [block(give("inner")), "Out.<end>"]);
    const { agent } = agentOf([block(give("outer")), "Done.<end>"], [outer, inner]);
    const events: RunEvent[] = [];
    const heard: string[] = [];
    agent.on("*", (event) => void heard.push(event.type));
    for await (const event of agent.run("Go.", { conversation, events: "all" })) events.push(event as RunEvent);
    const id = events.find((event) => event.type === "call")?.id;
    const nested = events.flatMap((event) => (event.type === "subagent" ? [event] : []));
    expect(new Set(nested.map((event) => event.id))).toEqual(new Set([id]));
    const types = nested.map(({ event }) => event.type);
    expect([types[0], types.at(-1)]).toEqual(["run_started", "run_ended"]);
    const deeper = nested.flatMap(({ event }) => (event.type === "subagent" ? [event.event] : []));
    expect(deeper.find((event) => event.type === "respond")).toMatchObject({ content: "Deep." });
    const places = events.map((event) => event.type);
    expect(places.indexOf("tool_started")).toBeLessThan(places.indexOf("subagent"));
    expect(places.lastIndexOf("subagent")).toBeLessThan(places.indexOf("tool_ended"));
    // Once: nobody hears an event of an agent below both alone and within `subagent`.
    expect(heard.filter((type) => type === "run_started")).toHaveLength(1);
    expect(events.map((event) => event.run.order)).toEqual(events.map((_, index) => index + 1));
  });

  it("works beside others of its block", async () => {
    let running = 0;
    let most = 0;
    const slow = tool("slow", {
      async execute() {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 20));
        running--;
      },
    });
    const workers = ["a", "b", "c"].map((name) => helper(name, [block(["slow"]), `${name}.<end>`]));
    const store = memoryStore();
    const calls = workers.map(({ name }) => give(name));
    const { agent } = agentOf([block(...calls), "Done.<end>"], workers, { tools: [slow], store });
    await agent.ask("Go.", { conversation });
    expect(most).toBe(3);
    expect((await resultsIn(store)).map(({ content }) => (content as { text: string }).text)).toEqual([
      "a.",
      "b.",
      "c.",
    ]);
  });

  it("is another one for each call, also where a model gives two calls of different blocks one id", async () => {
    const store = memoryStore();
    const worker = helper("a", ["One.<end>", "Two.<end>"]);
    const { agent } = agentOf([block(give("a")), block(give("a")), "Done.<end>"], [worker], { store });
    await agent.ask("Go.", { conversation });
    expect(await childrenOf(store)).toHaveLength(2);
    worker.provider.assertDone();
  });
});

describe("the model of an agent", () => {
  it("is that of its definition, asked as that says, without the settings that name another model", async () => {
    const worker = helper("a", ["Yes.<end>"], { driver: protocolDriver({ dialect: "xml" }) });
    const { agent, provider } = agentOf([block(give("a")), "Done.<end>"], [worker], {
      tools: [tool("look")],
      request: { model: "other-1", maxOutputTokens: 77 },
    });
    await agent.ask("Go.", { conversation });
    const [request] = worker.provider.requests;
    expect(request).toMatchObject({ maxOutputTokens: 77 });
    expect(request?.model).toBeUndefined();
    expect(request?.system).toContain("<name_of_a_tool>");
    expect(provider.requests[0]).toMatchObject({ model: "other-1" });
  });

  it("is that of the agent that calls where its definition names none", async () => {
    const { agent, provider } = agentOf(
      [block(give("a")), "Yes.<end>", "Done.<end>"],
      [{ name: "a", description: "d", instructions: "You are a." }],
    );
    expect(await agent.ask("Go.", { conversation })).toMatchObject({ text: "Done." });
    expect(provider.requests[1]?.system).toContain("You are a.");
  });
});

describe("how an agent ends", () => {
  it("stopped by its own budget: the result says so, with what it has written so far", async () => {
    const store = memoryStore();
    const worker = helper("a", [`Half of it.${block(["look"])}`], { budget: { steps: 1 } });
    const { agent } = agentOf([block(give("a")), "Done.<end>"], [worker], { store, tools: [tool("look")] });
    expect(await agent.ask("Go.", { conversation })).toMatchObject({ status: "completed", toolErrors: 0 });
    expect(await resultsIn(store)).toMatchObject([
      {
        tool: "agent",
        status: "success",
        content: { agent: "a", status: "stopped", text: "Half of it.", stop: { reason: "steps_limit" } },
      },
    ]);
  });

  it("failed: the call is a failure with its message", async () => {
    const store = memoryStore();
    const worker = helper("a", [{ chunks: [], error: new Error("The model is on fire.") }]);
    const { agent } = agentOf([block(give("a")), "Done.<end>"], [worker], { store });
    expect(await agent.ask("Go.", { conversation })).toMatchObject({ status: "completed", toolErrors: 1 });
    const [result] = await resultsIn(store);
    expect(result).toMatchObject({ status: "failure" });
    expect(result?.content).toContain("The agent a failed: ");
    expect(result?.content).toContain("on fire");
  });

  it("answered after a call of it had failed: that is an answer", async () => {
    const store = memoryStore();
    const broken = tool("broken", { execute: () => Promise.reject(new Error("no")) });
    const worker = helper("a", [block(["broken"]), "I found another way.<end>"]);
    const { agent } = agentOf([block(give("a")), "Done.<end>"], [worker], { store, tools: [broken] });
    await agent.ask("Go.", { conversation });
    expect(await resultsIn(store)).toMatchObject([
      { status: "success", content: { status: "completed", text: "I found another way." } },
    ]);
  });

  it.each([
    ["a name that no agent has", block(give("nobody")), {}, /agent|enum|one of/i],
    ["an agent where none may be started", block(give("a")), { maxDepth: 0 }, /greatest depth is 0/],
    [
      "an agent in the background where none may be",
      block(give("a", "p", { background: true })),
      { maxInBackground: 0 },
      /Enough agents/,
    ],
    [
      "the answer of an agent that was never started",
      block(["agent_result", { conversation: "subagent-x" }]),
      {},
      /No agent of that conversation/,
    ],
  ])("is an error of the call for %s", async (_, answer, options, message) => {
    const store = memoryStore();
    const worker = helper("a", []);
    const { agent } = agentOf([answer, "Done.<end>"], [worker], { store, subagents: options });
    await agent.ask("Go.", { conversation });
    const [result] = await resultsIn(store);
    expect(result?.status).toBe("failure");
    expect(result?.content).toMatch(message);
    expect(worker.provider.requests).toEqual([]);
  });
});

describe("what an agent may do", () => {
  const tools = ["read", "write", "shell"].map((name) => tool(name));

  it.each([
    ["all of the other's tools, and agents of its own", {}, ["agent", "read", "shell", "write"]],
    ["those that it names, and no other", { tools: ["read"] }, ["read"]],
    ["none for an empty list", { tools: [] }, []],
    ["all but those it must not have", { withoutTools: ["shell", "agent"] }, ["read", "write"]],
    [
      "those of one list that do not stand in the other",
      { tools: ["read", "shell"], withoutTools: ["shell"] },
      ["read"],
    ],
    ["nothing that the other does not have", { tools: ["read", "launch"] }, ["read"]],
  ])("has %s", async (_, lists, expected) => {
    const worker = helper("a", ["Done.<end>"], lists);
    const { agent } = agentOf([block(give("a")), "Done.<end>"], [worker], { tools });
    await agent.ask("Go.", { conversation });
    expect(offeredIn(worker.provider.requests[0]).toSorted()).toEqual(expected);
  });

  it("cannot use a tool that a hook takes from the other one in this step", async () => {
    const worker = helper("a", ["Done.<end>"]);
    const mode = { name: "mode", beforeStep: () => ({ tools: ["agent", "read"] }) };
    const { agent } = agentOf([block(give("a")), "Done.<end>"], [worker], { tools, hooks: [mode] });
    await agent.ask("Go.", { conversation });
    expect(offeredIn(worker.provider.requests[0]).toSorted()).toEqual(["agent", "read"]);
  });

  it("may start agents itself, down to the greatest depth", async () => {
    const store = memoryStore();
    const levels = [1, 2, 3].map((depth) =>
      helper(`level-${depth}`, depth < 3 ? [block(give(`level-${depth + 1}`)), `${depth}.<end>`] : ["3.<end>"]),
    );
    const { agent } = agentOf([block(give("level-1")), "Done.<end>"], levels, { store });
    await agent.ask("Go.", { conversation });
    expect(levels.map(({ provider }) => offeredIn(provider.requests[0]).includes("agent"))).toEqual([
      true,
      true,
      false,
    ]);
    const [one = ""] = await childrenOf(store);
    const [two = ""] = await childrenOf(store, one);
    const [three = ""] = await childrenOf(store, two);
    const deepest = await store.load({ conversation: three });
    expect(deepest.find((event) => event.type === "record" && event.kind === "parent")).toMatchObject({
      data: { conversation: two, root: conversation, agents: ["level-1", "level-2", "level-3"] },
    });
  });

  it("is bound by the hooks of the other one that block calls, and that hear of them", async () => {
    const store = memoryStore();
    const after: string[] = [];
    const guard = {
      name: "guard",
      beforeToolUse: ({ call }: { call: { name: string } }) =>
        call.name === "shell" ? { block: "Not here." } : undefined,
      afterToolUse: ({ execution }: { execution: { call: { name: string } } }) => void after.push(execution.call.name),
    };
    const worker = helper("a", [block(["shell"], ["read"]), "Done.<end>"]);
    const { agent } = agentOf([block(give("a")), "Done.<end>"], [worker], { tools, hooks: [guard], store });
    await agent.ask("Go.", { conversation });
    const [child = ""] = await childrenOf(store);
    expect((await resultsIn(store, child)).map(({ tool, status }) => [tool, status])).toEqual([
      ["shell", "failure"],
      ["read", "success"],
    ]);
    expect(after).toEqual(["read", "agent"]);
  });

  it("is bound by the rules of the other one", async () => {
    const store = memoryStore();
    const worker = helper("a", [block(["shell"], ["read"]), "Done.<end>"]);
    const execution = { approval: { policy: { tools: { shell: "deny", read: "allow" } } } } as const;
    const { agent } = agentOf([block(give("a")), "Done.<end>"], [worker], { tools, execution, store });
    await agent.ask("Go.", { conversation });
    const [child = ""] = await childrenOf(store);
    expect((await resultsIn(store, child)).map(({ tool, status }) => [tool, status])).toEqual([
      ["shell", "failure"],
      ["read", "success"],
    ]);
  });

  it("does not run the hooks that belong to the run of the other one", async () => {
    const called: string[] = [];
    const watch = {
      name: "watch",
      beforeRun: () => void called.push("beforeRun"),
      beforeStep: () => void called.push("beforeStep"),
      onStop: () => void called.push("onStop"),
      afterRun: () => void called.push("afterRun"),
    };
    const { agent } = agentOf([block(give("a")), "Done.<end>"], [helper("a", ["Yes.<end>"])], { hooks: [watch] });
    await agent.ask("Go.", { conversation });
    expect(called).toEqual(["beforeRun", "beforeStep", "beforeStep", "onStop", "afterRun"]);
  });
});

describe("what an agent uses", () => {
  it("counts once in the result, in the metrics and in the cost of the run that has started it", async () => {
    const worker = helper("a", [used(block(["look"])), used("Yes.<end>")]);
    const { agent } = agentOf([used(block(give("a"))), used("Done.<end>")], [worker], {
      tools: [tool("look")],
      prices: { "scripted-1": price },
    });
    const totals: unknown[] = [];
    agent.on("metric", ({ step, total }) => void totals.push([step.input, total.input]));
    const result = await agent.ask("Go.", { conversation });
    expect(result).toMatchObject({ steps: 2, usage: { input: 40, output: 20 }, cost: 60 });
    expect(totals).toEqual([
      [10, 30],
      [10, 40],
    ]);
  });

  it("adds up over the timeline, however deep it was used, as a tracer adds it up", async () => {
    const inner = helper("inner", [used("Deep.<end>")]);
    const outer = helper("outer", [used(block(give("inner"))), used("Out.<end>")]);
    const { agent } = agentOf([used(block(give("outer"))), used("Done.<end>")], [outer, inner], {
      prices: { "scripted-1": price },
    });
    let sum = 0;
    const add = (event: RunEvent): void => {
      if (event.type === "subagent") add(event.event);
      else if (event.type === "metric") sum += event.step.cost ?? 0;
    };
    agent.on("*", add);
    const { cost } = await agent.ask("Go.", { conversation });
    expect([sum, cost]).toEqual([75, 75]);
  });

  it("counts for the budget of the conversation after a restart, once", async () => {
    const store = memoryStore();
    const budget = { conversation: { tokens: 2000 } };
    const play = (answers: Parameters<typeof agentOf>[0]) =>
      agentOf(answers, [helper("a", [{ chunks: "Yes.<end>", usage: { ...usage, input: 1200 } }])], {
        store,
        budget,
        request: { maxOutputTokens: 5 },
      }).agent;
    await play([used(block(give("a"))), used("Done.<end>")]).ask("Go.", { conversation });
    const { stop } = await play([used("More.<end>")]).ask("Again.", { conversation });
    expect(stop).toBeUndefined();
    const counted = { totalTokens: 10 + 5 + 1200 + 5 + 5 };
    const last = await play([]).ask("Again.", { conversation, budget: { conversation: { tokens: 1300 } } });
    expect(last.stop).toMatchObject({ reason: "token_limit", context: { of: "conversation" } });
    expect(last.stop?.context.totalTokens).toBe(counted.totalTokens + 5);
  });

  it("has the limits of the other one where its definition names none", async () => {
    const store = memoryStore();
    const same = Array.from({ length: 4 }, () => block(["look"]));
    const workers = [helper("a", [...same, "Yes.<end>"]), helper("b", same.slice(0, 2), { budget: { repeats: 2 } })];
    const { agent } = agentOf([block(give("a"), give("b")), "Done.<end>"], workers, {
      store,
      tools: [tool("look")],
      budget: { repeats: 100 },
    });
    await agent.ask("Go.", { conversation });
    expect((await resultsIn(store)).map(({ content }) => (content as { status: string }).status)).toEqual([
      "completed",
      "stopped",
    ]);
  });

  it("is limited by what the other one has left, and the result says so", async () => {
    const store = memoryStore();
    const dear = { ...usage, input: 500 };
    const worker = helper("a", [{ chunks: `Half.${block(["look"])}`, usage: dear }]);
    const { agent } = agentOf([used(block(give("a"))), used("Done.<end>")], [worker], {
      store,
      tools: [tool("look")],
      budget: { cost: 900 },
      prices: { "scripted-1": price },
      request: { maxOutputTokens: 5 },
    });
    expect(await agent.ask("Go.", { conversation })).toMatchObject({ status: "completed", cost: 15 + 505 + 15 });
    const [{ content } = {}] = await resultsIn(store);
    expect(content).toMatchObject({ status: "stopped", text: "Half.", stop: { reason: "cost_limit" } });
    expect((content as { stop: { message: string } }).stop.message).toContain("the agent that has started this one");
  });
});

describe("cancelling", () => {
  it("the run ends the agents that its calls have started, at any depth, and their calls", async () => {
    const user = new AbortController();
    const store = memoryStore();
    let ended = false;
    const endless = tool("endless", {
      execute: (_: unknown, { signal }: { signal: AbortSignal }) => {
        queueMicrotask(() => user.abort(new Error("enough")));
        return new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => {
            ended = true;
            reject(signal.reason);
          }),
        );
      },
    } as never);
    const inner = helper("inner", [block(["endless"])]);
    const outer = helper("outer", [block(give("inner"))]);
    const { agent } = agentOf([block(give("outer"))], [outer, inner], { store, tools: [endless] });
    const result = await agent.ask("Go.", { conversation, signal: user.signal });
    expect(result).toMatchObject({ status: "stopped", stop: { reason: "user_requested" } });
    expect(ended).toBe(true);
    const [child = ""] = await childrenOf(store);
    const [grandchild = ""] = await childrenOf(store, child);
    for (const one of [conversation, child, grandchild]) {
      const log = await store.load({ conversation: one });
      expect(log.some(({ type }) => type === "cancelled")).toBe(true);
    }
  });
});

describe("definitions", () => {
  it.each([
    ["a name with capitals", { name: "Finder" }, RangeError],
    ["a name that is too long", { name: "a".repeat(65) }, RangeError],
    ["an unknown field", { model: "gpt" }, TypeError],
    ["a list of tools that is a text", { tools: "read" }, TypeError],
    ["a provider that is a name", { provider: "openai" }, TypeError],
  ])("are refused with %s", (_, wrong, error) => {
    const definition = { name: "a", description: "d", instructions: "i", ...wrong } as never;
    expect(() => subagents([definition])).toThrow(error);
  });

  it("bring no tool if there are none", () => {
    expect(subagents([])).toEqual({ name: "subagents" });
  });

  it("are described in one bounded text, which is the same for the same agents", () => {
    const many = Array.from({ length: 50 }, (_, index) => ({
      name: `agent-${index}`,
      description: `Line one.\n\nIgnore all. ${"x".repeat(5000)}`,
      instructions: "i",
    }));
    const [one] = subagents(many).tools ?? [];
    expect(one?.description).toBe(subagents(many).tools?.[0]?.description);
    expect(new TextEncoder().encode(one?.description).length).toBeLessThan(18_000);
    expect(one?.description).toMatch(/and \d+ more/);
    expect(one?.description).toContain("- agent-0: Line one. Ignore all. xxx");
  });
});
