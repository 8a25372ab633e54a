import { type Part, partsOf, toParts } from "@cogency/protocol/parts";
import { memoryStore } from "@cogency/storage";
import { type ApprovalRequest, definitionHash } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import {
  agentOf,
  block,
  childrenOf,
  conversation,
  give,
  helper,
  keyRing,
  resultsIn,
  tool,
} from "../test/support/play.ts";

const risky = () => {
  let ran = 0;
  return {
    get ran() {
      return ran;
    },
    tool: tool("risky", { approval: "ask", execute: () => `ran ${++ran}` } as never),
  };
};
const asking = tool("ask_name", {
  asks: true,
  execute: async (_: unknown, { ask }: never) =>
    `Hello ${await (ask as (q: object) => Promise<string>)({ message: "Who?" })}`,
} as never);

/** Parent, one agent, and an agent of that agent which calls a tool. */
function family(name: string) {
  const inner = () => helper("inner", [block([name, { text: "x" }]), "In.<end>"]);
  const outer = () => helper("outer", [block(give("inner")), "Out.<end>"]);
  return { definitions: () => [outer(), inner()], answers: [block(give("outer")), "Done.<end>"] };
}

describe("a question of an agent", () => {
  it("reaches the person who is asked in the run, with the path of names", async () => {
    const store = memoryStore();
    const { tool: own } = risky();
    const { definitions, answers } = family("risky");
    const { agent } = agentOf(answers, definitions(), { tools: [own], store });
    const asked: ApprovalRequest[] = [];
    const approve = (request: ApprovalRequest) => asked.push(request) > 0;
    expect(await agent.ask("Go.", { conversation, approve })).toMatchObject({ status: "completed", text: "Done." });
    expect(asked).toMatchObject([{ agents: ["outer", "inner"], call: { name: "risky", args: { text: "x" } } }]);
  });

  it("stands in the log of the conversation of the person until it is answered", async () => {
    const store = memoryStore();
    const { tool: own } = risky();
    const { definitions, answers } = family("risky");
    const { agent } = agentOf(answers, definitions(), { tools: [own], store });
    const open: unknown[] = [];
    const approve = async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      const log = await store.load({ conversation });
      open.push(...log.filter((event) => event.type === "record" && event.kind === "question"));
      return true;
    };
    await agent.ask("Go.", { conversation, approve });
    expect(open).toMatchObject([{ data: { name: "risky", asks: "approval", agents: ["outer", "inner"] } }]);
    const log = await store.load({ conversation });
    expect(log.find((event) => event.type === "record" && event.kind === "approval")).toMatchObject({
      data: { status: "approved", question: (open[0] as { data: { id: string } }).data.id },
    });
  });

  it("names the definition of a server's tool there, too", async () => {
    const store = memoryStore();
    const own = { ...risky().tool, definedBy: "https://mcp.example.com/mcp" };
    const { definitions, answers } = family("risky");
    const { agent } = agentOf(answers, definitions(), { tools: [own], store });
    await agent.ask("Go.", { conversation, approve: () => true });
    const log = await store.load({ conversation });
    expect(log.find((event) => event.type === "record" && event.kind === "question")).toMatchObject({
      data: { agents: ["outer", "inner"], definition: await definitionHash(own) },
    });
  });

  it("is a part of the conversation of the person, live as from the log, with the arguments of the call that asks", async () => {
    const store = memoryStore();
    const { tool: own } = risky();
    const { definitions, answers } = family("risky");
    const { agent } = agentOf(answers, definitions(), { tools: [own], store });
    let live: readonly Part[] = [];
    const run = agent.run("Go.", { conversation, events: "all", approve: () => true });
    for await (const parts of toParts(run)) live = parts;
    const ofLog = partsOf(await store.load({ conversation }));
    const asked = ofLog.find(({ type }) => type === "question");
    expect(asked).toMatchObject({
      name: "risky",
      args: { text: "x" },
      agents: ["outer", "inner"],
      decision: "approved",
    });
    expect(ofLog.find(({ type }) => type === "call")).toMatchObject({ name: "agent", args: { agent: "outer" } });
    expect(live.filter(({ type }) => type === "question")).toEqual([asked]);
    expect(ofLog.filter(({ type }) => type === "question")).toEqual([asked]);
  });

  it.each(["approve", "deny"] as const)(
    "waits without anybody, and goes on in another process once %s is sent to the conversation of the person",
    async (kind) => {
      const store = memoryStore();
      const work = risky();
      const { definitions, answers } = family("risky");
      const shared = { tools: [work.tool], store, keyRing, whenUnanswered: "wait" as const };
      const first = await agentOf(answers.slice(0, 1), definitions(), shared).agent.ask("Go.", { conversation });
      expect(first.status).toBe("waiting");
      expect(first.waiting).toMatchObject([
        { asks: "approval", name: "risky", args: { text: "x" }, agents: ["outer", "inner"], hash: expect.any(String) },
      ]);
      expect(work.ran).toBe(0);
      // Another process has the same definitions, whose models go on where they were.
      const [outer, inner] = [helper("outer", ["Out.<end>"]), helper("inner", ["In.<end>"])];
      const { agent } = agentOf(["Done.<end>"], [outer, inner], shared);
      expect(await agent.recover({ conversation }).result).toMatchObject({ status: "waiting" });
      await agent.send({ conversation }, { kind, question: first.waiting?.[0]?.question ?? "" });
      expect(await agent.recover({ conversation }).result).toMatchObject({ status: "completed", text: "Done." });
      expect(work.ran).toBe(kind === "approve" ? 1 : 0);
      const [child = ""] = await childrenOf(store);
      const [grandchild = ""] = await childrenOf(store, child);
      expect(await resultsIn(store, grandchild)).toMatchObject([
        { status: kind === "approve" ? "success" : "failure" },
      ]);
      expect(await store.inbox({ conversation })).toEqual([]);
    },
  );

  it("is asked once, though the call that has started the agent may bring any content when the next process goes on", async () => {
    const store = memoryStore();
    const work = risky();
    const { definitions, answers } = family("risky");
    const execution = { approval: { content: "ask" } } as const;
    const shared = { tools: [work.tool], store, keyRing, whenUnanswered: "wait" as const, execution };
    const first = await agentOf(answers.slice(0, 1), definitions(), shared).agent.ask("Go.", { conversation });
    expect(first.waiting).toMatchObject([{ name: "risky", concerns: [] }]);
    const [outer, inner] = [helper("outer", ["Out.<end>"]), helper("inner", ["In.<end>"])];
    const { agent } = agentOf(["Done.<end>"], [outer, inner], shared);
    await agent.send({ conversation }, { kind: "approve", question: first.waiting?.[0]?.question ?? "" });
    expect(await agent.recover({ conversation }).result).toMatchObject({ status: "completed", text: "Done." });
    expect(work.ran).toBe(1);
  });

  it("of a tool waits without anybody, and its answer reaches it", async () => {
    const store = memoryStore();
    const { definitions, answers } = family("ask_name");
    const shared = { tools: [asking], store, keyRing, whenUnanswered: "wait" as const };
    const first = await agentOf(answers.slice(0, 1), definitions(), shared).agent.ask("Go.", { conversation });
    expect(first.waiting).toMatchObject([{ asks: "answer", message: "Who?", agents: ["outer", "inner"] }]);
    const { agent } = agentOf(["Done.<end>"], [helper("outer", ["Out.<end>"]), helper("inner", ["In.<end>"])], shared);
    await agent.send(
      { conversation },
      { kind: "answer", question: first.waiting?.[0]?.question ?? "", content: "Ada" },
    );
    expect(await agent.recover({ conversation }).result).toMatchObject({ status: "completed" });
    const [child = ""] = await childrenOf(store);
    const [grandchild = ""] = await childrenOf(store, child);
    expect(await resultsIn(store, grandchild)).toMatchObject([{ content: "Hello Ada" }]);
  });

  it("is answered from elsewhere while the run waits for a person here", async () => {
    const store = memoryStore();
    const work = risky();
    const { definitions, answers } = family("risky");
    const { agent } = agentOf(answers, definitions(), { tools: [work.tool], store, keyRing });
    const approve = async ({ question }: ApprovalRequest) => {
      await agent.send({ conversation }, { kind: "approve", question });
      return new Promise<boolean>(() => {});
    };
    expect(await agent.ask("Go.", { conversation, approve })).toMatchObject({ status: "completed" });
    expect(work.ran).toBe(1);
  });

  it("does not count for the time of the run", async () => {
    const { tool: own } = risky();
    const { definitions, answers } = family("risky");
    const { agent } = agentOf(answers, definitions(), { tools: [own], budget: { seconds: 0.3 } });
    const approve = () => new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 500));
    expect(await agent.ask("Go.", { conversation, approve })).toMatchObject({ status: "completed" });
  });

  it("of several agents stand beside each other", async () => {
    const store = memoryStore();
    const work = risky();
    const workers = () => ["a", "b", "c"].map((name) => helper(name, [block(["risky", { text: name }]), "Yes.<end>"]));
    const shared = { tools: [work.tool], store, keyRing, whenUnanswered: "wait" as const };
    const calls = block(give("a"), give("b"), give("c"));
    const first = await agentOf([calls], workers(), shared).agent.ask("Go.", { conversation });
    expect(first.waiting?.map(({ agents, args }) => [agents, args.text]).toSorted()).toEqual([
      [["a"], "a"],
      [["b"], "b"],
      [["c"], "c"],
    ]);
    const { agent } = agentOf(
      ["Done.<end>"],
      ["a", "b", "c"].map((name) => helper(name, ["Yes.<end>"])),
      shared,
    );
    for (const { question } of first.waiting ?? []) await agent.send({ conversation }, { kind: "approve", question });
    expect(await agent.recover({ conversation }).result).toMatchObject({ status: "completed" });
    expect(work.ran).toBe(3);
  });
});
