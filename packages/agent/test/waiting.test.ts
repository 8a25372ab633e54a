import { type LogEvent, parseResults, type RunEvent } from "@cogency/protocol";
import { type Parts, partsOf, reduceParts } from "@cogency/protocol/parts";
import { type ModelRequest, type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { createKeyRing, defineTool, type ToolHook } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { createAgent, type RunOptions } from "../src/index.ts";
import { block, collect, conversation, echo, types } from "./support/fixtures.ts";

const keyRing = createKeyRing(["a ring that several machines have in common"]);

/** The machines that share one store, each a new agent; `wiped` are the disks that their tool has wiped. */
function machines(store: Store = memoryStore()) {
  const wiped: unknown[] = [];
  const wipe = defineTool({
    name: "wipe",
    description: "Wipes a disk.",
    input: { type: "object", properties: { disk: { type: "string" } } },
    approval: "ask",
    resource: ({ disk }) => [`disk:${disk}`],
    execute: ({ disk }) => {
      wiped.push(disk);
      return `wiped ${disk}`;
    },
  });
  const agent = (...answers: ScriptedStep[]) => {
    const provider = scripted(answers);
    return { provider, ...createAgent({ provider, tools: [wipe, echo], store, keyRing }) };
  };
  return { store, wiped, agent };
}

const two = block(["wipe", { disk: "a" }], ["echo", { text: "here" }], ["wipe", { disk: "b" }]);
const yes = { conversation, approve: async () => true } satisfies RunOptions;

const kinds = (log: readonly LogEvent[]) => log.map((event) => (event.type === "record" ? event.kind : event.type));

describe("a run whose questions nobody can answer", () => {
  it("ends as `waiting` with all its questions; calls that ask nothing have run, and the lease is free", async () => {
    const { store, wiped, agent } = machines();
    const run = agent(two).run("Wipe both.", { conversation });
    const events = await collect(run);
    const { status, waiting, stop } = await run.result;
    expect([status, stop]).toEqual(["waiting", undefined]);
    const log = await store.load({ conversation });
    const calls = log.flatMap((event) => (event.type === "call" ? [event.id] : []));
    expect(waiting).toMatchObject([
      { id: calls[0], name: "wipe", args: { disk: "a" }, touches: ["disk:a"], concerns: [] },
      { id: calls[2], name: "wipe", args: { disk: "b" }, touches: ["disk:b"] },
    ]);
    expect(types(events)).toEqual(["user", "call", "call", "call", "execute", "metric"]);
    expect(kinds(log).slice(2).toSorted()).toEqual(
      ["call", "call", "call", "question", "question", "started", "finished", "usage"].toSorted(),
    );
    expect(
      log.flatMap((event) => (event.type === "record" && event.kind === "question" ? [event.data.id] : [])),
    ).toEqual(waiting?.map(({ question }) => question));
    expect(wiped).toEqual([]);
    await (await store.lease({ conversation }, { owner: "next", ttl: 1000 })).release();
  });

  it("waits on under the same ids as often as it is recovered, and asks no model", async () => {
    const { store, agent } = machines();
    const first = await agent(two).ask("Wipe both.", { conversation });
    for (let time = 0; time < 3; time++) {
      const { provider, recover } = agent();
      expect(await recover({ conversation }).result).toMatchObject({ status: "waiting", waiting: first.waiting });
      expect(provider.requests).toEqual([]);
    }
    expect(kinds(await store.load({ conversation })).filter((kind) => kind === "question")).toHaveLength(2);
  });

  it("goes on in another process that can ask: what is approved runs once, a refusal is told with its reason", async () => {
    const { store, wiped, agent } = machines();
    const { waiting } = await agent(two).ask("Wipe both.", { conversation });
    const asked: string[] = [];
    const approve: RunOptions["approve"] = async ({ call, question }) => {
      asked.push(question);
      return call.args.disk === "b" ? true : { approved: false, reason: "a holds the photos" };
    };
    const heir = agent("Wiped b.<end>");
    expect(await heir.recover({ conversation, approve }).result).toMatchObject({
      status: "completed",
      text: "Wiped b.",
    });
    expect(asked).toEqual(waiting?.map(({ question }) => question));
    expect(wiped).toEqual(["b"]);
    const log = await store.load({ conversation });
    const results = log.flatMap((event) => (event.type === "result" ? [parseResults(event.content)] : []));
    expect(results).toMatchObject([
      [
        { status: "failure", content: expect.stringContaining("a holds the photos") },
        { status: "success", content: "here" },
        { status: "success", content: "wiped b" },
      ],
    ]);
    expect(JSON.stringify(heir.provider.requests[0]?.messages)).toContain("a holds the photos");
  });

  it("asks again what was open when the process died, and runs nothing twice", async () => {
    const inner = memoryStore();
    let appends = 0;
    let limit = Number.POSITIVE_INFINITY;
    const dying: Store = {
      ...inner,
      append: (...given) => (++appends > limit ? Promise.reject(new Error("killed")) : inner.append(...given)),
    };
    const once = ({ messages }: ModelRequest) => (JSON.stringify(messages).includes("wiped a") ? "Done.<end>" : two);
    for (limit = 1; limit < 9; limit++) {
      await inner.delete({ conversation });
      const { wiped, agent } = machines(dying);
      appends = 0;
      await agent(two).ask("Wipe both.", { conversation });
      appends = Number.NEGATIVE_INFINITY;
      await agent(once, once, once).recover(yes).result;
      expect(wiped.toSorted(), `killed after ${limit} appends`).toEqual(["a", "b"]);
    }
  });

  it("is closed by a cancel: its calls get results, and nothing waits any more", async () => {
    const { store, wiped, agent } = machines();
    await agent(two).ask("Wipe both.", { conversation });
    await agent().recover({ conversation, signal: AbortSignal.abort() }).result;
    const log = await store.load({ conversation });
    expect(kinds(log).slice(-2)).toEqual(["result", "cancelled"]);
    expect(await agent("Ok.").recover(yes).result).toMatchObject({ status: "completed" });
    expect(wiped).toEqual([]);
  });

  it("is told on the timeline: its questions, no end of the calls that wait, and how it ended", async () => {
    const { agent } = machines();
    const heard: RunEvent[] = [];
    await agent(two).ask("Wipe both.", { conversation, on: (event) => heard.push(event) });
    expect(types(heard).filter((type) => type === "approval_requested")).toHaveLength(2);
    expect(heard.filter((event) => event.type === "tool_ended").map(({ name }) => name)).toEqual(["echo"]);
    expect(heard.at(-1)).toMatchObject({ type: "run_ended", status: "waiting" });
    expect(heard.find((event) => event.type === "step_ended")).toMatchObject({ outcome: "waiting" });
  });

  it("shows what will run: a screen has the arguments that a hook made, live and from the log", async () => {
    const store = memoryStore();
    const ran: unknown[] = [];
    const write = defineTool({
      name: "write",
      description: "Writes.",
      input: { type: "object" },
      approval: "ask",
      execute: (args) => void ran.push(args),
    });
    const change: ToolHook = { name: "change", beforeToolUse: () => ({ call: { args: { file: "changed" } } }) };
    const options = { tools: [write], store, keyRing, execution: { hooks: [change] } };
    const agent = createAgent({ provider: scripted([block(["write", { file: "harmless" }]), "Done."]), ...options });
    const heard: RunEvent[] = [];
    const { waiting } = await agent.ask("Write.", { conversation, on: (event) => heard.push(event) });
    const shown = (parts: Parts) => parts.flatMap((part) => (part.type === "call" ? [part.args] : []));
    expect(shown(heard.reduce<Parts>(reduceParts, []))).toEqual([{ file: "changed" }]);
    expect(shown(partsOf(await store.load({ conversation })))).toEqual([{ file: "changed" }]);
    await agent.send({ conversation }, { kind: "approve", question: waiting?.[0]?.question ?? "" });
    await agent.recover({ conversation }).result;
    expect(ran).toEqual([{ file: "changed" }]);
  });

  it("stays ended for a consumer that leaves at its last event", async () => {
    const { store, agent } = machines();
    const run = agent(two).run("Wipe both.", { conversation });
    for await (const event of run) if (event.type === "metric") break;
    expect((await run.result).status).toBe("waiting");
    expect(kinds(await store.load({ conversation }))).not.toContain("cancelled");
  });
});

describe("questions wait", () => {
  it.each([
    ["with a store and a key ring", {}, "waiting"],
    ["not without a key ring, which nobody else could verify", { keyRing: undefined }, "completed"],
    ["not without a store that lasts", { store: undefined }, "completed"],
    ["not where the agent says so", { whenUnanswered: "deny" }, "completed"],
    ["where the agent says so", { store: undefined, keyRing: undefined, whenUnanswered: "wait" }, "waiting"],
  ] as const)("%s", async (_, options, status) => {
    const drop = defineTool({
      name: "drop",
      description: "Drops.",
      input: { type: "object" },
      approval: "ask",
      execute: () => "dropped",
    });
    const provider = scripted([block(["drop", {}]), "Done."]);
    const agent = createAgent({ provider, tools: [drop], store: memoryStore(), keyRing, warn: () => {}, ...options });
    expect((await agent.ask("Drop it.")).status).toBe(status);
  });
});
