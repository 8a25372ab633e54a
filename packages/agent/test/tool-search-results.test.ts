import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { type AgentOptions, createAgent, type RunOptions } from "../src/index.ts";
import { scriptedDriver } from "../src/scripted.ts";
import { type ToolSearchOptions, toolSearch } from "../src/tool-search.ts";
import { collect, conversation, echo } from "./support/fixtures.ts";
import { type Hand, hands, manyTools, namesOf } from "./support/many-tools.ts";
import { agentOf, announced, load, many, notices, results, seeking } from "./support/tool-search.ts";

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
      "These tools were found. From now on you can call them by name, like the tools that you have; if you have `call_tool`, call them with it.\n\n" +
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
    [{ keep: "lock_photo" }, TypeError, "`keep` is a string; give an array of names of tools."],
    [{ rank: true }, TypeError, "`rank` is true; give a function."],
    [{ over: 5 }, TypeError, "toolSearch has no option `over`"],
    [{ above: -1 }, RangeError, "`above` is -1; give a whole number of at least 0."],
    [{ limit: 0 }, RangeError, "`limit` is 0"],
    [{ limit: "5" }, TypeError, "`limit` is a string"],
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
