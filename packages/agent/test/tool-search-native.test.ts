import { type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { createAgent } from "../src/index.ts";
import { nativeDriver } from "../src/native.ts";
import { reactDriver } from "../src/react.ts";
import { toolSearch } from "../src/tool-search.ts";
import { collect, conversation } from "./support/fixtures.ts";
import { hands } from "./support/many-tools.ts";
import { agentOf, calls, expectOnePrefix, load, many, seeking } from "./support/tool-search.ts";

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
