import type { RunEvent } from "@cogency/protocol";
import { type Parts, partsOf, reduceParts } from "@cogency/protocol/parts";
import { defineTool } from "@cogency/tools";
import { describe, expect, it, vi } from "vitest";
import type { AgentHook } from "../../src/hooks.ts";
import { toolSearch } from "../../src/tool-search.ts";
import { add, here, machines, recordsOf } from "../support/client-tools.ts";
import { block, resultsIn } from "../support/fixtures.ts";
import { manyTools } from "../support/many-tools.ts";

const adding = block(["add", { a: 1, b: 2 }]);
const two = block(["add", { a: 1, b: 2 }], ["add", { a: 3, b: 4 }]);
const pick = { ...add, name: "pick", description: "Lets the person pick." };
const look = defineTool({
  name: "look",
  description: "Looks.",
  input: { type: "object" },
  execute: () => "seen",
});

describe("calls of one batch", () => {
  it("are a question each, and are answered in any order", async () => {
    const { store, log, machine } = machines();
    const { waiting = [] } = await machine([two]).prompt("Add.", [add]);
    expect(waiting).toHaveLength(2);
    const asked = (a: number) => waiting.find(({ args }) => args.a === a)?.question;
    const after = await machine().answer(asked(3), { output: 7 });
    expect(after).toMatchObject({ status: "waiting", waiting: [{ question: asked(1), client: true }] });
    const done = await machine(["Added.<end>"]).answer(asked(1), { output: 3 });
    expect(done).toMatchObject({ status: "completed", text: "Added." });
    expect(await resultsIn(store)).toEqual([
      [
        { tool: "add", status: "success", content: 3 },
        { tool: "add", status: "success", content: 7 },
      ],
    ]);
    const questions: { id: string }[] = recordsOf(await log(), "question");
    expect(new Set(questions.map(({ id }) => id)).size).toBe(2);
  });

  it("may also be of the agent's own tools, which run at once and once", async () => {
    const execute = vi.fn(() => "seen");
    const own = defineTool({ name: "look", description: "Looks.", input: { type: "object" }, execute });
    const { store, machine } = machines({ tools: [own] });
    const { waiting } = await machine([block(["look", {}], ["add", { a: 1, b: 2 }], ["look", {}])]).prompt("Go.", [
      add,
    ]);
    expect(execute).toHaveBeenCalledTimes(2);
    await machine(["Done.<end>"]).answer(waiting?.[0]?.question, { error: "The window was closed." });
    expect(execute).toHaveBeenCalledTimes(2);
    expect(await resultsIn(store)).toEqual([
      [
        { tool: "look", status: "success", content: "seen" },
        { tool: "add", status: "failure", content: "The window was closed." },
        { tool: "look", status: "success", content: "seen" },
      ],
    ]);
  });

  it("ask no person, neither by the callbacks of the run nor by those of the agent", async () => {
    const approve = vi.fn<() => Promise<boolean>>(async () => true);
    const answer = vi.fn(() => ({ output: "of a person" }));
    const policy = { otherwise: "ask" } as const;
    const { machine } = machines({ execution: { approval: { policy, approve } } });
    const first = machine([adding]);
    await first.agent.send(here, { kind: "prompt", content: "Add.", tools: [add] });
    const asked = await first.agent.recover({ ...here, approve, answer }).result;
    expect(asked).toMatchObject({ status: "waiting", waiting: [{ client: true }] });
    const again = await machine().agent.recover({ ...here, approve, answer }).result;
    expect(again).toMatchObject({ status: "waiting", waiting: [{ question: asked.waiting?.[0]?.question }] });
    expect([approve.mock.calls, answer.mock.calls]).toEqual([[], []]);
  });

  it("wait also for an agent whose questions to people do not", async () => {
    const { store, machine } = machines({ whenUnanswered: "deny" });
    const { status, waiting } = await machine([adding]).prompt("Add.", [add]);
    expect(status).toBe("waiting");
    await machine(["3.<end>"], { whenUnanswered: "deny" }).answer(waiting?.[0]?.question, { output: 3 });
    expect(await resultsIn(store)).toEqual([[{ tool: "add", status: "success", content: 3 }]]);
  });

  it("are seen by hooks, which may block them", async () => {
    const seen: string[] = [];
    const guard: AgentHook = {
      name: "guard",
      beforeToolUse({ call }) {
        seen.push(call.name);
        return call.args.a === 3 ? { block: "Not three." } : undefined;
      },
    };
    const { machine } = machines({ hooks: [guard] });
    const { waiting } = await machine([two]).prompt("Add.", [add]);
    expect(seen).toEqual(["add", "add"]);
    expect(waiting).toMatchObject([{ args: { a: 1 } }]);
  });

  it("are the same parts from the events of the run and from its log", async () => {
    const { log, machine } = machines();
    const heard: RunEvent[] = [];
    const first = machine([adding]);
    first.agent.on("*", (event) => void heard.push(event));
    const { waiting } = await first.prompt("Add.", [add]);
    const untimed = (parts: Parts) =>
      parts.filter(({ type }) => type !== "end").map((part) => ({ ...part, duration: undefined, started: undefined }));
    const live = untimed(heard.reduce(reduceParts, [] as Parts));
    expect(live).toContainEqual(
      expect.objectContaining({ type: "question", client: true, open: true, asks: "answer" }),
    );
    expect(live).toEqual(untimed(partsOf(await log())));
    const second = machine(["3.<end>"]);
    second.agent.on("*", (event) => void heard.push(event));
    await second.answer(waiting?.[0]?.question, { output: 3 });
    expect(untimed(heard.reduce(reduceParts, [] as Parts))).toEqual(untimed(partsOf(await log())));
  });
});

describe("a question to the client", () => {
  it("is closed by a cancel", async () => {
    const { store, log, machine } = machines();
    const { waiting } = await machine([adding]).prompt("Add.", [add]);
    await machine().agent.send(here, { kind: "cancel" });
    expect(await machine().goOn()).toMatchObject({ status: "stopped", stop: { reason: "user_requested" } });
    const late = machine(["Never mind.<end>"]);
    await late.answer(waiting?.[0]?.question, { output: 3 });
    expect(recordsOf(await log(), "message").at(-1)).toMatchObject({
      kind: "answer",
      refused: "The question is not open.",
    });
    expect(JSON.stringify(await resultsIn(store))).not.toContain("success");
  });

  it("is closed by a run with a new prompt, which takes the tools back", async () => {
    const { store, log, machine } = machines();
    await machine([adding]).prompt("Add.", [add]);
    const other = machine(["Never mind.<end>"]);
    expect(await other.agent.ask("Leave it.", here)).toMatchObject({ status: "completed", text: "Never mind." });
    expect(JSON.stringify(other.provider.requests[0]?.system)).not.toContain("Adds two numbers.");
    expect(recordsOf(await log(), "client_tools")).toEqual([{ tools: [add] }, { tools: [] }]);
    expect(await resultsIn(store)).toMatchObject([[{ tool: "add", status: "failure" }]]);
  });
});

describe("the tools of a client", () => {
  it("hold for the turn of their prompt, through steers and notices", async () => {
    const { log, machine } = machines();
    const { waiting } = await machine([adding]).prompt("Add.", [add]);
    const second = machine(["3.<end>", "And so on.<end>"]);
    await second.agent.send(here, { kind: "steer", content: "Quickly." });
    await second.agent.send(here, { kind: "notice", content: "Something is ready." });
    await second.answer(waiting?.[0]?.question, { output: 3 });
    for (const { system } of second.provider.requests) expect(system).toContain("Adds two numbers.");
    expect(recordsOf(await log(), "client_tools")).toHaveLength(1);
  });

  it("are others after a steer that brings others, from the next request on", async () => {
    const { log, machine } = machines();
    const { waiting } = await machine([adding]).prompt("Add.", [add]);
    const second = machine(["Picked.<end>"]);
    await second.agent.send(here, { kind: "steer", content: "Let me pick.", tools: [pick] });
    await second.answer(waiting?.[0]?.question, { output: 3 });
    const [{ system = "" } = {}] = second.provider.requests;
    expect(system).toContain("Lets the person pick.");
    expect(system).not.toContain("Adds two numbers.");
    expect(recordsOf(await log(), "client_tools")).toEqual([{ tools: [add] }, { tools: [pick] }]);
  });

  it("are those of a steer also where it came too late, and begins a turn of its own", async () => {
    const { log, machine } = machines();
    await machine(["One.<end>"]).prompt("One.", [add]);
    const second = machine(["Two.<end>"]);
    await second.agent.send(here, { kind: "steer", content: "Let me pick.", tools: [pick] });
    await second.goOn();
    expect(second.provider.requests[0]?.system).toContain("Lets the person pick.");
    expect(recordsOf(await log(), "client_tools")).toEqual([{ tools: [add] }, { tools: [pick] }]);
  });

  it("are said once while prompts bring the same, and the requests begin the same", async () => {
    const { log, machine } = machines({ tools: [look] });
    const first = machine(["One.<end>"]);
    const second = machine(["Two.<end>", "Three.<end>"]);
    await first.prompt("One.", [add, pick]);
    await second.prompt("Two.", [structuredClone(add), pick]);
    await second.prompt("Three.", [add, pick]);
    const systems = [first, second].flatMap(({ provider }) => provider.requests.map(({ system }) => system));
    expect(systems).toHaveLength(3);
    expect(new Set(systems).size).toBe(1);
    expect(recordsOf(await log(), "client_tools")).toHaveLength(1);
  });

  it("are others with the next prompt of the same run, and none with a prompt without", async () => {
    const { log, machine } = machines({ tools: [look] });
    const { agent, goOn, provider } = machine(["One.<end>", "Two.<end>", `Three.${adding}`, "Gone.<end>"]);
    await agent.send(here, { kind: "prompt", content: "One.", tools: [add] });
    await agent.send(here, { kind: "prompt", content: "Two.", tools: [pick] });
    await agent.send(here, { kind: "prompt", content: "Three." });
    expect(await goOn()).toMatchObject({ status: "completed", text: "Gone." });
    const offered = provider.requests.map(({ system = "" }) =>
      ["Looks.", "Adds two numbers.", "Lets the person pick."].filter((text) => system.includes(text)),
    );
    expect(offered).toEqual([
      ["Looks.", "Adds two numbers."],
      ["Looks.", "Lets the person pick."],
      ["Looks."],
      ["Looks."],
    ]);
    expect(recordsOf(await log(), "client_tools")).toEqual([{ tools: [add] }, { tools: [pick] }, { tools: [] }]);
    expect(JSON.stringify(await log())).toContain("Unknown tool");
  });

  it("leave no trace in the log of a conversation without any", async () => {
    const { log, machine } = machines({ tools: [look] });
    await machine([block(["look", {}]), "Seen.<end>"]).prompt("Look.");
    await machine(["Seen.<end>"]).prompt("Look.", []);
    expect(recordsOf(await log(), "client_tools")).toEqual([]);
  });

  it("are offered beside a search, and called without one", async () => {
    const { machine } = machines({ tools: manyTools(60), toolSearch: toolSearch() });
    const { prompt, provider } = machine([adding]);
    expect(await prompt("Add.", [add])).toMatchObject({ status: "waiting", waiting: [{ client: true, name: "add" }] });
    expect(provider.requests[0]?.system).toContain("find_tools");
    expect(provider.requests[0]?.system).toContain("Adds two numbers.");
  });

  it("are not those of an agent that a call starts, nor of another conversation", async () => {
    const { store, machine } = machines();
    await machine(["One.<end>"]).prompt("One.", [add]);
    const other = machine(["Two.<end>"]);
    await other.agent.ask("Two.", { conversation: "another" });
    expect(other.provider.requests[0]?.system).not.toContain("Adds two numbers.");
    expect(recordsOf(await store.load({ conversation: "another" }), "client_tools")).toEqual([]);
  });

  it("stay those of a fork until its next prompt", async () => {
    const { store, machine } = machines();
    const first = machine(["One.<end>"]);
    await first.prompt("One.", [add]);
    const fork = await first.agent.fork(here.conversation);
    const next = machine(["Two.<end>"]);
    await next.agent.ask("Two.", { conversation: fork });
    expect(next.provider.requests[0]?.system).not.toContain("Adds two numbers.");
    expect(recordsOf(await store.load({ conversation: fork }), "client_tools").at(-1)).toEqual({ tools: [] });
  });
});
