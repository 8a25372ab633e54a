import { type LogEvent, parseResults } from "@cogency/protocol";
import { type ModelRequest, type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore, redactingStore, type Store } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { type AgentOptions, createAgent, type RunOptions } from "../src/index.ts";
import { nativeDriver } from "../src/native.ts";
import { reactDriver } from "../src/react.ts";
import { scriptedDriver } from "../src/scripted.ts";
import { requestProblem } from "../src/testkit/request-problem.ts";
import { type ToolSearchOptions, toolSearch } from "../src/tool-search.ts";
import { collect, conversation, echo } from "./support/fixtures.ts";
import { descriptionsOf, type Hand, handNames, hands, manyTools, namesOf, seeker } from "./support/many-tools.ts";
import { sessionModel } from "./support/session-model.ts";

const many = manyTools(300);

/** An agent of 300 tools, whose model plays these steps. */
function agentOf(hand: Hand, steps: readonly ScriptedStep[], store: Store, more: Partial<AgentOptions> = {}) {
  const provider = scripted(steps, { capabilities: { tools: hand.wraps === true } });
  const given = { tools: many, toolSearch: toolSearch(), driver: hand.driver(), store };
  const agent = createAgent({ provider, ...given, instructions: "Be brief.", ...more });
  const ask = (prompt: string, run: RunOptions = {}) => agent.ask(prompt, { conversation, ...run });
  return { ...agent, provider, ask };
}

/** So many requests to a model that looks for a tool. */
const seeking = (hand: Hand, query: string, name: string): ScriptedStep[] => Array(3).fill(seeker(hand, query, name));

const load = (store: Store) => store.load({ conversation });

const announced = (log: readonly LogEvent[]) =>
  log.flatMap((event) => (event.type === "record" && event.kind === "tools_found" ? [...event.data.names] : []));

const notices = (log: readonly LogEvent[]) =>
  log.flatMap((event) => (event.type === "user" && event.origin === "notice" ? [event.content] : []));

const calls = (log: readonly LogEvent[]) =>
  log.flatMap((event) => (event.type === "call" ? [JSON.parse(event.content)] : []));

const results = (log: readonly LogEvent[]) =>
  log.flatMap((event) => (event.type === "result" ? (parseResults(event.content) ?? []) : []));

/** Each request is valid and begins with the one before: system prompt, tools and every setting are the same. */
function expectOnePrefix(requests: readonly ModelRequest[]): void {
  for (const [index, request] of requests.entries()) {
    expect(requestProblem(request)).toBeUndefined();
    const before = requests[index - 1];
    if (!before) continue;
    const { messages, ...rest } = request;
    const { messages: earlier, ...others } = before;
    expect(rest).toEqual(others);
    expect(messages.slice(0, earlier.length)).toEqual(earlier);
  }
}

describe.each(handNames)("an agent of 300 tools, with the driver for %s", (name) => {
  const hand: Hand = hands[name];

  it("finds a tool and calls it", async () => {
    const store = memoryStore();
    const { ask, provider } = agentOf(hand, seeking(hand, "lock a photo", "lock_photo"), store);
    expect(await ask("Lock it.")).toMatchObject({ status: "completed", text: "It is done.", steps: 3, toolErrors: 0 });
    const log = await load(store);
    expect(calls(log)).toEqual([
      { name: "find_tools", args: { query: "lock a photo" } },
      { name: "lock_photo", args: { title: "Leak" } },
    ]);
    const [found, done] = results(log);
    expect(found?.content).toHaveLength(5);
    expect(found?.content).toContainEqual({ name: "lock_photo", description: "Use it to lock a photo." });
    expect(done).toEqual({ tool: "lock_photo", status: "success", content: "did lock Leak" });
    expect(provider.requests).toHaveLength(3);
    provider.assertDone();
  });

  it("begins each request with the one before, over two runs and a restart, and describes each tool once", async () => {
    const store = memoryStore();
    const steps = seeking(hand, "lock a photo", "lock_photo");
    const requests: ModelRequest[] = [];
    for (const [prompt, ...script] of [
      ["Lock it.", ...steps],
      [
        "And again.",
        hand.call("find_tools", { query: "lock photos" }),
        hand.call("lock_photo", { title: "B" }),
        hand.say("Yes."),
      ],
      [
        "And a ticket.",
        hand.call("find_tools", { query: "unlock_ticket" }),
        hand.call("unlock_ticket", { title: "C" }),
        hand.say("Yes."),
      ],
    ] as [string, ...ScriptedStep[]][]) {
      // Each time a new process, which knows nothing but the log.
      const { ask, provider } = agentOf(hand, script, store);
      expect(await ask(prompt)).toMatchObject({ status: "completed", toolErrors: 0 });
      requests.push(...provider.requests);
    }
    expect(requests).toHaveLength(9);
    expectOnePrefix(requests);
    const log = await load(store);
    const names = announced(log);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain("unlock_ticket");
    const text = JSON.stringify(requests.at(-1)?.messages);
    for (const one of names) expect(descriptionsOf(text, one)).toBe(1);
    expect(results(log).map(({ status }) => status)).toEqual(Array(6).fill("success"));
  });

  it("stores the description in the append of the result", async () => {
    const inner = memoryStore();
    const appends: string[][] = [];
    const store: Store = {
      ...inner,
      append(key, events, options) {
        appends.push(events.map((event) => (event.type === "record" ? event.kind : event.type)));
        return inner.append(key, events, options);
      },
    };
    await agentOf(hand, seeking(hand, "lock a photo", "lock_photo"), store).ask("Lock it.");
    const kinds = appends.filter((append) => append.includes("tools_found"));
    expect(kinds).toEqual([expect.arrayContaining(["result", "user", "tools_found", "usage"])]);
    expect(kinds[0]?.join(" ")).toContain("result user tools_found usage");
  });

  it("puts the real call before the person who approves it, and waits with it", async () => {
    const store = memoryStore();
    const tools = manyTools(300, { approval: "ask" });
    const steps = seeking(hand, "lock a photo", "lock_photo");
    const asked: unknown[] = [];
    const here = agentOf(hand, steps, store, { tools });
    const started: unknown[] = [];
    here.on("tool_started", ({ name: tool, args }) => started.push([tool, args]));
    const approve: RunOptions["approve"] = async ({ call }) => asked.push([call.name, call.args]) > 0;
    expect(await here.ask("Lock it.", { approve })).toMatchObject({ text: "It is done." });
    expect(asked).toEqual([["lock_photo", { title: "Leak" }]]);
    expect(started.at(-1)).toEqual(["lock_photo", { title: "Leak" }]);

    const elsewhere = {
      tools,
      store: memoryStore(),
      keyRing: createKeyRing(["a ring of these two processes, long enough"]),
    };
    const first = agentOf(hand, steps, elsewhere.store, elsewhere);
    const { status, waiting = [] } = await first.ask("Lock it.");
    expect([status, waiting.map((question) => [question.name, question.args])]).toEqual([
      "waiting",
      [["lock_photo", { title: "Leak" }]],
    ]);
    const next = agentOf(hand, [hand.say("It is done.")], elsewhere.store, elsewhere);
    for (const { question } of waiting) await next.send({ conversation }, { kind: "approve", question });
    expect(await next.recover({ conversation }).result).toMatchObject({ status: "completed", text: "It is done." });
    expect(results(await load(elsewhere.store)).at(-1)).toMatchObject({ content: "did lock Leak" });
    expectOnePrefix([...first.provider.requests, ...next.provider.requests]);
  });

  it("runs a tool that was never described, if its arguments fit", async () => {
    const store = memoryStore();
    const steps = [hand.call("lock_photo", { title: "A" }), hand.call("lock_photo", { name: "A" }), hand.say("So.")];
    const { ask, provider } = agentOf(hand, steps, store);
    expect(await ask("Lock it.")).toMatchObject({ status: "completed", toolErrors: 1 });
    expect(results(await load(store)).map(({ status }) => status)).toEqual(["success", "failure"]);
    expectOnePrefix(provider.requests);
  });

  it("says of a tool that there is not that there is none", async () => {
    const store = memoryStore();
    const { ask } = agentOf(hand, [hand.call("lock_foto", { title: "A" }), hand.say("So.")], store);
    await ask("Lock it.");
    const [result] = results(await load(store));
    expect(result?.content).toContain('Unknown tool "lock_foto". Did you mean lock_photo');
    expect(String(result?.content)).toContain("Available tools: find_tools,");
    expect(String(result?.content).length).toBeLessThan(2_000);
  });
});

describe("the tools that a model is offered where it searches", () => {
  const offeredBy = async (search: ToolSearchOptions, more: Partial<AgentOptions> = {}, run: RunOptions = {}) => {
    const { ask, provider } = agentOf(hands.native, ["Hello."], memoryStore(), {
      toolSearch: toolSearch(search),
      ...more,
    });
    await ask("Hello.", run);
    return namesOf(provider.requests[0]?.tools);
  };

  it("are those that are kept, and the search; with native calls also the one for all others", async () => {
    expect(await offeredBy({})).toEqual(["find_tools", "call_tool"]);
    const kept = ["find_issue", "create_issue"];
    expect(await offeredBy({ keep: kept })).toEqual(["find_tools", "create_issue", "find_issue", "call_tool"]);
  });

  it("are all up to the limit, and then nothing is different from an agent without a search", async () => {
    const tools = manyTools(40);
    const of = async (more: Partial<AgentOptions>, hand: Hand) => {
      const { ask, provider } = agentOf(hand, ["Hello."], memoryStore(), { tools, toolSearch: undefined, ...more });
      await ask("Hello.");
      return provider.requests;
    };
    for (const hand of Object.values(hands)) {
      expect(await of({ toolSearch: toolSearch() }, hand)).toEqual(await of({}, hand));
    }
    expect(await offeredBy({}, { tools: manyTools(41) })).toHaveLength(2);
    expect(await offeredBy({ above: 41 }, { tools: manyTools(41) })).toHaveLength(41);
    expect(await offeredBy({ above: 0 }, { tools: [echo] })).toHaveLength(2);
  });

  it("make a fraction of the request", async () => {
    const size = async (more: Partial<AgentOptions>) => {
      const { ask, provider } = agentOf(hands.json, ["Hello.<end>"], memoryStore(), more);
      await ask("Hello.");
      return JSON.stringify(provider.requests[0]).length;
    };
    expect(await size({})).toBeLessThan((await size({ toolSearch: undefined })) / 20);
  });

  it("leave out those that cannot run, which are not found either, unless somebody is there to allow them", async () => {
    const store = memoryStore();
    const tools = [...manyTools(100), ...manyTools(110, { approval: "ask" }).slice(100)];
    const query = { query: "list_photo export_photo" };
    const warnings: string[] = [];
    const steps = [hands.json.call("find_tools", query), "So.<end>", hands.json.call("find_tools", query), "So.<end>"];
    const { ask } = agentOf(hands.json, steps, store, {
      tools: [
        ...tools.filter(({ name }) => name !== "list_photo"),
        ...manyTools(300, { approval: "ask" }).filter(({ name }) => name === "list_photo"),
      ],
      warn: (message) => warnings.push(message),
    });
    await ask("First alone.");
    expect(JSON.stringify(results(await load(store))[0])).not.toContain('"list_photo"');
    expect(warnings).toEqual([expect.stringContaining("list_photo")]);
    await ask("Then not.", { approve: async () => true });
    expect(results(await load(store))[1]?.content).toContainEqual(expect.objectContaining({ name: "list_photo" }));
    expect(announced(await load(store))).toContain("list_photo");
    const keep = ["create_issue", "list_photo"];
    const asking = manyTools(300, { approval: "ask" });
    const more = { tools: asking, warn: () => {} };
    expect(await offeredBy({ keep }, more)).toEqual(["find_tools", "call_tool"]);
    expect(await offeredBy({ keep }, more, { approve: async () => true })).toHaveLength(4);
  });

  it("work with a driver of one's own, and with a scripted one", async () => {
    const { driver, provider, requests } = scriptedDriver([
      { calls: [{ name: "find_tools", args: { query: "lock photo" } }] },
      ({ messages }) => ({
        calls: [{ name: "lock_photo", args: { title: String(JSON.stringify(messages).includes("- lock_photo: ")) } }],
      }),
      "Done.",
    ]);
    const store = memoryStore();
    const agent = createAgent({ provider, driver, tools: many, store, toolSearch: toolSearch() });
    expect(await agent.ask("Lock it.", { conversation })).toMatchObject({ text: "Done.", toolErrors: 0 });
    expect(results(await load(store)).at(-1)?.content).toBe("did lock true");
    for (const { tools } of requests) expect(namesOf(tools)).toEqual(["find_tools"]);
  });

  it("work with answers that are objects", async () => {
    const store = memoryStore();
    for (const hand of [hands.json, hands.native]) {
      const steps = [...seeking(hand, "lock a photo", "lock_photo").slice(0, 2), '{"done":true}'];
      const agent = agentOf(hand, steps, store);
      const schema = { type: "object", properties: { done: { type: "boolean" } }, required: ["done"] } as const;
      expect((await agent.object("Lock it.", schema).result).object).toEqual({ done: true });
    }
  });
});

describe("a search", () => {
  const found = async (query: string, search: ToolSearchOptions = {}, more: Partial<AgentOptions> = {}) => {
    const store = memoryStore();
    const { ask } = agentOf(hands.json, [hands.json.call("find_tools", { query }), "So.<end>"], store, {
      toolSearch: toolSearch(search),
      ...more,
    });
    await ask("Search.");
    const log = await load(store);
    return { result: results(log)[0], names: announced(log), notices: notices(log), log };
  };

  it("describes each tool with its whole description and the schema of its arguments", async () => {
    const { names, notices } = await found("lock_photo", { limit: 1 });
    expect(names).toEqual(["lock_photo"]);
    const { spec } = many.find(({ name }) => name === "lock_photo") ?? echo;
    expect(notices).toEqual([
      "These tools were found. Call them by their names from now on, as the tools that you have; if you have `call_tool`, with it.\n\n" +
        `- lock_photo: Use it to lock a photo. It needs the title of what it works on.\n  parameters: ${JSON.stringify(spec.parameters)}`,
    ]);
  });

  it("that finds nothing says what to try, and describes nothing", async () => {
    const { result, names } = await found("zebra");
    expect(result).toMatchObject({
      status: "success",
      content: expect.stringContaining('No tool fits "zebra". Try other words'),
    });
    expect(names).toEqual([]);
  });

  it("gives as many tools as its limit allows, and names tools that are offered without describing them", async () => {
    expect((await found("photo", { limit: 3 })).names).toHaveLength(3);
    const kept = await found("lock_photo", { limit: 2, keep: ["lock_photo"] });
    expect(kept.result?.content).toContainEqual(expect.objectContaining({ name: "lock_photo" }));
    expect(kept.names).toHaveLength(1);
    expect(kept.names).not.toContain("lock_photo");
  });

  it("never finds itself", async () => {
    const { result } = await found("find_tools search", { rank: () => ["find_tools", "lock_photo"] });
    expect(result?.content).toEqual([expect.objectContaining({ name: "lock_photo" })]);
  });

  it("is told whole, however little of a result the model may see", async () => {
    const { names } = await found("photo", { limit: 20 }, { execution: { maxResultBytes: 512 } });
    expect(names).toHaveLength(20);
  });

  it("may have a ranking of one's own, which need not be at once", async () => {
    const seen: unknown[] = [];
    const { names } = await found("what is it", {
      limit: 2,
      rank: async (query, specs) => {
        seen.push(query, specs.length);
        return ["no_such_tool", "lock_photo", "lock_photo", "create_issue", "delete_issue"];
      },
    });
    expect(seen).toEqual(["what is it", 300]);
    expect(names).toEqual(["lock_photo", "create_issue"]);
  });

  it("fails with the error of a ranking of one's own, and the model goes on", async () => {
    const rank = () => {
      throw new Error("the index is away");
    };
    expect((await found("x", { rank })).result).toMatchObject({
      status: "failure",
      content: expect.stringContaining("the index is away"),
    });
    const wrong = await found("x", { rank: (() => "lock_photo") as never });
    expect(wrong.result).toMatchObject({ status: "failure", content: expect.stringContaining("no array of names") });
    expect(wrong.names).toEqual([]);
  });

  it("is a call like any other: policies, hooks and the timeline know it", async () => {
    const policy = { tools: { find_tools: "deny" } } as const;
    const denied = await found("lock_photo", {}, { execution: { approval: { policy, approve: async () => true } } });
    expect(denied.result?.status).toBe("failure");
    expect(denied.names).toEqual([]);
    const value = [{ name: "lock_photo" }, { name: "no_such_tool" }, "create_issue", null, 7, { name: {} }];
    const afterToolUse = () => ({ replace: { value } });
    const hooked = await found("zebra", {}, { execution: { hooks: [{ name: "h", afterToolUse }] } });
    expect(hooked.names).toEqual(["lock_photo"]);
  });

  it("that two calls of a block make describes what both find once", async () => {
    const store = memoryStore();
    const twice = ["lock_photo", "lock photo"].map((query) => ({ name: "find_tools", args: { query } }));
    const { ask } = agentOf(hands.json, [`<execute>${JSON.stringify(twice)}</execute>`, "So.<end>"], store);
    await ask("Search.");
    const names = announced(await load(store));
    expect(new Set(names).size).toBe(names.length);
    expect(notices(await load(store))).toHaveLength(1);
  });

  it("shows the consumer what the model is told", async () => {
    const heard: string[] = [];
    const { run } = agentOf(hands.json, seeking(hands.json, "lock photo", "lock_photo"), memoryStore());
    const events = await collect(run("Lock it.", { conversation, on: ({ type }) => heard.push(type) }));
    const at = events.findIndex((event) => event.type === "user" && event.origin === "notice");
    expect(events[at - 1]?.type).toBe("result");
    expect(heard).toContain("notified");
  });

  it.each<[ToolSearchOptions | object, typeof TypeError | typeof RangeError, string]>([
    [{ keep: ["lock_foto"] }, TypeError, '`keep` names "lock_foto", but the agent has no such tool.'],
    [{ keep: "lock_photo" }, TypeError, "`keep` is not an array of names"],
    [{ rank: true }, TypeError, "`rank` is not a function"],
    [{ over: 5 }, TypeError, "`over` is not an option of toolSearch"],
    [{ above: -1 }, RangeError, "`above` is -1; give a whole number of at least 0."],
    [{ limit: 0 }, RangeError, "`limit` is 0"],
    [{ limit: "5" }, RangeError, "`limit` is 5"],
  ])("refuses the options %o", (options, kind, message) => {
    const make = () => agentOf(hands.json, [], memoryStore(), { toolSearch: toolSearch(options) });
    expect(make).toThrow(kind);
    expect(make).toThrow(message);
  });

  it.each(["find_tools", "call_tool"])(
    "refuses an agent with a tool of the name %s, however few tools it has",
    (name) => {
      const make = () =>
        agentOf(hands.json, [], memoryStore(), { tools: [{ ...echo, name, spec: { ...echo.spec, name } }] });
      expect(make).toThrow(TypeError);
      expect(make).toThrow(`A tool is named ${name}`);
    },
  );
});

describe("native calls of tools that were found", () => {
  const step = (name: string, args: unknown): ScriptedStep => {
    const text = typeof args === "string" ? args : JSON.stringify(args);
    return { events: [{ type: "tool_call", id: "t", name, arguments: text }] };
  };

  it("go back to the model as it made them", async () => {
    const store = memoryStore();
    const { ask, provider } = agentOf(
      hands.native,
      [...seeking(hands.native, "lock a photo", "lock_photo"), "More."],
      store,
    );
    await ask("Lock it.");
    const messages = provider.requests[2]?.messages ?? [];
    const asked = messages.flatMap((message) => (message.role === "assistant" ? (message.calls ?? []) : []));
    expect(asked.map(({ name, args }) => ({ name, args }))).toEqual([
      { name: "find_tools", args: { query: "lock a photo" } },
      { name: "call_tool", args: { name: "lock_photo", arguments: { title: "Leak" } } },
    ]);
    const answers = messages.flatMap((message) => (message.role === "tool" ? message.results : []));
    expect(answers.map(({ name }) => name)).toEqual(["find_tools", "call_tool"]);
  });

  it("may have their arguments as text", async () => {
    const store = memoryStore();
    await agentOf(
      hands.native,
      [step("call_tool", { name: "lock_photo", arguments: '{"title":"A"}' }), "So."],
      store,
    ).ask("x");
    expect(calls(await load(store))).toEqual([{ name: "lock_photo", args: { title: "A" } }]);
  });

  it("may go to tools that the model has, and to the search", async () => {
    const store = memoryStore();
    const steps = [
      step("call_tool", { name: "find_tools", arguments: { query: "photo" } }),
      step("call_tool", { name: "create_issue", arguments: { title: "A" } }),
      step("create_issue", { title: "B" }),
      "So.",
    ];
    const { ask, provider } = agentOf(hands.native, steps, store, {
      toolSearch: toolSearch({ keep: ["create_issue"] }),
    });
    expect(await ask("x")).toMatchObject({ toolErrors: 0, steps: 4 });
    expect(calls(await load(store)).map(({ name }) => name)).toEqual(["find_tools", "create_issue", "create_issue"]);
    expectOnePrefix(provider.requests);
  });

  it.each([
    [{ arguments: {} }, "has no `name`"],
    [{ name: "", arguments: {} }, "has no `name`"],
    [{ name: 5, arguments: {} }, "has no `name`"],
    [{ name: "lock_photo" }, "has no object of `arguments`"],
    [{ name: "lock_photo", arguments: [] }, "has no object of `arguments`"],
    [{ name: "lock_photo", arguments: "title" }, "has no object of `arguments`"],
    [{ name: "lock_photo", arguments: "null" }, "has no object of `arguments`"],
    [{ name: "lock_photo", title: "A" }, "has `title` beside"],
    [{ name: "call_tool", arguments: { name: "lock_photo", arguments: {} } }, "calls itself"],
    ["[]", "are not a JSON object"],
  ])("are refused if the arguments of call_tool are %j", async (args, problem) => {
    const store = memoryStore();
    const { ask, provider } = agentOf(hands.native, [step("call_tool", args), "So."], store);
    expect(await ask("x")).toMatchObject({ status: "completed", text: "So." });
    const log = await load(store);
    expect(calls(log)).toEqual([]);
    const refused = log.find((event) => event.type === "record" && event.kind === "rejected");
    expect(refused).toMatchObject({ data: { code: "malformed_arguments", message: expect.stringContaining(problem) } });
    expect(JSON.stringify(provider.requests[1]?.messages)).toContain(JSON.stringify(problem).slice(1, -1));
  });

  it("leave no leaked arguments in the text, neither those of the tool nor those of call_tool", async () => {
    for (const leak of [{ title: "A" }, { name: "lock_photo", arguments: { title: "A" } }]) {
      const store = memoryStore();
      const call = {
        type: "tool_call",
        id: "t",
        name: "call_tool",
        arguments: '{"name":"lock_photo","arguments":{"title":"A"}}',
      } as const;
      const steps = [{ events: [{ type: "text", text: JSON.stringify(leak) } as const, call] }, "So."];
      const { ask, on } = agentOf(hands.native, steps, store);
      const leaked: string[] = [];
      on("args_leaked", ({ name }) => leaked.push(name));
      await ask("x");
      expect(leaked).toEqual(["lock_photo"]);
      expect((await load(store)).filter(({ type }) => type === "respond")).toHaveLength(1);
    }
  });

  it("keep their native blocks beside them", async () => {
    const store = memoryStore();
    const call = {
      type: "tool_call",
      id: "t",
      name: "call_tool",
      arguments: '{"name":"lock_photo","arguments":{"title":"A"}}',
    } as const;
    const steps = [
      { events: [call, { type: "finish", reason: "tool_calls", native: { signed: true } } as const] },
      "So.",
    ];
    const { ask, provider } = agentOf(hands.native, steps, store);
    await ask("x");
    const message = provider.requests[1]?.messages.find(({ role }) => role === "assistant");
    expect(message).toMatchObject({ calls: [{ name: "call_tool" }], native: { data: { signed: true } } });
  });

  it("show no arguments of call_tool while they are written, and those of other tools", async () => {
    const delta = (index: number, name: string, text: string) =>
      [
        { type: "tool_call_delta", index, id: `t${index}`, name, arguments: text.slice(0, 4) },
        { type: "tool_call_delta", index, arguments: text.slice(4) },
        { type: "tool_call", id: `t${index}`, name, arguments: text },
      ] as const;
    const events = [
      ...delta(0, "call_tool", '{"name":"lock_photo","arguments":{"title":"A"}}'),
      ...delta(1, "find_tools", '{"query":"photo"}'),
    ];
    const driver = nativeDriver({ callDeltas: true });
    const { run } = agentOf(hands.native, [{ events }, "So."], memoryStore(), { driver });
    const seen = await collect(run("x", { stream: "token" }));
    const written = seen.flatMap((event) => (event.type === "call_delta" ? [event] : []));
    expect(written.map(({ content }) => content).join("")).toBe('{"query":"photo"}');
    const ids = seen.flatMap((event) => (event.type === "call" ? [event.id] : []));
    expect(new Set(written.map(({ id }) => id))).toEqual(new Set([ids[1]]));
  });

  it("choose among the tools that are sent", async () => {
    const driver = nativeDriver({ toolChoice: { name: "lock_photo" } });
    const { ask } = agentOf(hands.native, [], memoryStore(), { driver });
    expect((await ask("x")).error?.message).toContain('names "lock_photo"; the model has find_tools, call_tool.');
  });
});

describe("decisions where tools are searched", () => {
  it("are held to a schema that never changes", async () => {
    const store = memoryStore();
    const provider = scripted(
      seeking(
        {
          ...hands.react,
          call: (tool, args) => decided({ type: "call_tool", tool, args: JSON.stringify(args) }),
          say: (answer) => decided({ type: "final_answer", answer }),
        },
        "lock a photo",
        "lock_photo",
      ),
      { capabilities: { format: true } },
    );
    const agent = createAgent({ provider, driver: reactDriver(), tools: many, store, toolSearch: toolSearch() });
    expect(await agent.ask("Lock it.", { conversation })).toMatchObject({ text: "It is done.", toolErrors: 0 });
    expect(JSON.stringify(provider.requests[0]?.format)).toContain('"tool":{"type":"string"}');
    expectOnePrefix(provider.requests);
  });

  const decided = (decision: object) => JSON.stringify({ thought: "go", decision });

  it("are refused without the name of a tool", async () => {
    const { ask, provider } = agentOf(hands.react, [hands.react.call("", {}), hands.react.say("So.")], memoryStore());
    expect(await ask("x")).toMatchObject({ text: "So.", steps: 1 });
    expect(JSON.stringify(provider.requests[1]?.messages)).toContain("it must be the name of a tool");
  });
});

describe("a conversation with a search that changes its driver at every turn", () => {
  it.each(handNames.map((name, index) => [name, [...handNames.slice(index), ...handNames.slice(0, index)]] as const))(
    "has what was found in every form, beginning with %s",
    async (_, order) => {
      const store = memoryStore();
      const requests = new Map<string, ModelRequest[]>();
      // The first one finds the tool, all others call it. Twice around, so that each goes on with its own.
      for (const name of [...order, ...order]) {
        const hand = hands[name];
        const steps: ScriptedStep[] = seeking(hand, "lock a photo", "lock_photo").slice(0, 2);
        const isFirst = !requests.has(order[0] as string);
        const called: ScriptedStep = (request) =>
          descriptionsOf(JSON.stringify(request.messages), "lock_photo") === 1
            ? hand.call("lock_photo", { title: "Again" })
            : hand.say("It is not described once.");
        const { ask, provider } = agentOf(hand, [...(isFirst ? steps : [called]), hand.say(`Done by ${name}.`)], store);
        expect(await ask("Lock it.")).toMatchObject({ text: `Done by ${name}.`, toolErrors: 0 });
        requests.set(name, [...(requests.get(name) ?? []), ...provider.requests]);
      }
      for (const of of requests.values()) expectOnePrefix(of);
      expect(announced(await load(store)).filter((name) => name === "lock_photo")).toHaveLength(1);
    },
  );

  it("may have begun without a search", async () => {
    const store = memoryStore();
    const plain = agentOf(
      hands.native,
      [{ events: [{ type: "tool_call", id: "t", name: "lock_photo", arguments: '{"title":"A"}' }] }, "Done."],
      store,
      {
        toolSearch: undefined,
      },
    );
    await plain.ask("Lock it.");
    const { ask, provider } = agentOf(hands.native, ["So."], store);
    await ask("And?");
    const [message] = provider.requests[0]?.messages.filter(({ role }) => role === "assistant") ?? [];
    expect(message).toMatchObject({
      calls: [{ name: "call_tool", args: { name: "lock_photo", arguments: { title: "A" } } }],
    });
  });
});

describe("what a log says that a model has found", () => {
  const search = hands.json.call("find_tools", { query: "lock_photo" });
  const again = async (store: Store, more: Partial<AgentOptions> = {}) => {
    const { ask } = agentOf(hands.json, [search, "So.<end>"], store, { toolSearch: toolSearch({ limit: 1 }), ...more });
    await ask("Search.");
    return announced(await load(store)).length;
  };

  it("does not count for a tool that has changed since", async () => {
    const store = memoryStore();
    expect([await again(store), await again(store)]).toEqual([1, 1]);
    const tools = many.map((tool) =>
      tool.name === "lock_photo" ? { ...tool, spec: { ...tool.spec, description: "Lock a photo, for ever." } } : tool,
    );
    expect([await again(store, { tools }), await again(store, { tools })]).toEqual([2, 2]);
    expect(notices(await load(store)).at(-1)).toContain("Lock a photo, for ever.");
  });

  it("does not count where a store has redacted it, or the words are gone", async () => {
    const inner = memoryStore();
    const store = redactingStore(inner, (text) => text.replaceAll("title of what", "[redacted]"));
    expect([await again(store), await again(store)]).toEqual([1, 2]);
    const forged = memoryStore();
    const record = { type: "record", kind: "tools_found", data: { names: ["lock_photo"] }, timestamp: 1 } as const;
    await forged.append({ conversation }, [{ type: "user", content: "Hello.", timestamp: 1 }, record]);
    expect(await again(forged)).toBe(2);
  });

  it.each([[null], [7], [{}], [{ names: "lock_photo" }], [{ names: [null, 7, {}] }]])(
    "may be any data: %j",
    async (data) => {
      const store = memoryStore();
      const words: LogEvent = { type: "user", content: "x", origin: "notice", timestamp: 1 };
      await store.append({ conversation }, [
        words,
        { type: "record", kind: "tools_found", data, timestamp: 1 } as never,
      ]);
      const { ask } = agentOf(hands.json, seeking(hands.json, "lock a photo", "lock_photo"), store);
      expect(await ask("Lock it.")).toMatchObject({ text: "It is done." });
    },
  );

  it("goes through a session, too", async () => {
    const store = memoryStore();
    const provider = sessionModel(seeking(hands.json, "lock a photo", "lock_photo"));
    const agent = createAgent({ provider, tools: many, store, toolSearch: toolSearch() });
    expect(await agent.ask("Lock it.", { conversation })).toMatchObject({ text: "It is done.", toolErrors: 0 });
  });
});
