import { setTimeout as pause } from "node:timers/promises";
import type { LogEvent } from "@cogency/protocol";
import { ProviderError, type ScriptedStep, scripted } from "@cogency/provider";
import { type Claim, memoryStore, type Store } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import { createKeyRing, defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { createAgent } from "../src/index.ts";
import { block, conversation } from "./support/fixtures.ts";

const keyRing = createKeyRing(["a ring that several machines have in common"]);
const here = { conversation };
const broken = "<execute>[{]</execute>";
const said = (log: readonly LogEvent[]) => log.flatMap((event) => (event.type === "user" ? [event.content] : []));
const wipe = defineTool({
  name: "wipe",
  description: "Wipes a disk.",
  input: { type: "object" },
  approval: "ask",
  execute: () => "wiped",
});

function clocked() {
  const time = { now: 1_000_000 };
  return { time, store: memoryStore({ clock: () => time.now }) };
}

function agentOn(store: Store, answers: ScriptedStep[] = [], scope?: string, ring = keyRing) {
  const provider = scripted(answers);
  return { provider, ...createAgent({ provider, store, keyRing: ring, tools: [wipe], scope, lease: { ttl: 1000 } }) };
}

describe("a sweep", () => {
  it("answers every conversation that has messages, of every user, and says when the next one is due", async () => {
    const { time, store } = clocked();
    const agent = agentOn(store, ["One.", "Two.", "Three."]);
    for (const user of ["ada", "bob", undefined])
      await agent.send({ conversation, user }, { kind: "prompt", content: "?" });
    await agent.send({ conversation: "later" }, { kind: "prompt", content: "?" }, { at: time.now + 5000 });
    expect(await agent.sweep()).toBe(time.now + 5000);
    agent.provider.assertDone();
    for (const user of ["ada", "bob", undefined]) expect(await store.inbox({ conversation, user })).toEqual([]);
    expect(await agent.sweep()).toBe(time.now + 5000);
  });

  it("does nothing for a conversation that has ended, or that nobody but another scope owns", async () => {
    const { store } = clocked();
    const agent = agentOn(store, ["Done."], "/home/ada");
    await agent.ask("go", here);
    await agentOn(store, [], "/home/bob").send({ conversation: "other" }, { kind: "prompt", content: "?" });
    expect(await agent.sweep()).toBeUndefined();
    expect(agent.provider.requests).toHaveLength(1);
    expect(await store.inbox({ conversation: "other" })).toHaveLength(1);
  });

  it("goes on with a run whose process has died, once its lease has ended", async () => {
    const { time, store } = clocked();
    await store.lease(here, { owner: "dead", ttl: 1000 });
    await store.append(here, [{ type: "user", content: "go", timestamp: 1 }]).catch(() => {});
    const lease = await store.lease(here, { owner: "dead", ttl: 1000 });
    await store.append(here, [{ type: "user", content: "go", timestamp: 1 }], { lease });
    const agent = agentOn(store, ["Done."]);
    const due = await agent.sweep();
    expect([agent.provider.requests.length, due]).toEqual([0, time.now + 1000]);
    time.now += 1001;
    expect(await agent.sweep()).toBeUndefined();
    expect(agent.provider.requests).toHaveLength(1);
  });

  it.each([
    ["in memory", async () => memoryStore()],
    ["in SQLite", async () => sqliteStore({ path: ":memory:" })],
  ])(
    "reads the cancel of a conversation that is parked %s, and asks no model; other messages release nothing",
    async (_, open) => {
      const store = await open();
      const agent = agentOn(store, [{ error: new ProviderError("bad_request", "no") }]);
      await agent.ask("go", here);
      await store.wake(here, { id: "look", at: 0 });
      const [claim] = await store.claim({ owner: "worker", limit: 1, ttl: 1000 });
      await store.park(claim as Claim, "It fails.");
      await agent.send(here, { kind: "steer", content: "now" });
      await agent.send(here, { kind: "cancel" }, { at: Date.now() + 1e9 });
      await agent.sweep();
      expect(await store.parked()).toHaveLength(1);
      await agent.send(here, { kind: "cancel", reason: "never mind" });
      await agent.sweep();
      expect(agent.provider.requests).toHaveLength(1);
      expect(await store.parked()).toEqual([]);
      expect((await store.inbox(here)).map(({ message }) => message.kind)).toEqual(["steer"]);
      expect((await store.load(here)).at(-1)?.type).toBe("cancelled");
      await store.close();
    },
  );

  it("leaves a conversation that waits, and goes on once it is answered", async () => {
    const { store } = clocked();
    const agent = agentOn(store, [block(["wipe", {}]), "Wiped."]);
    await agent.send(here, { kind: "prompt", content: "Wipe it." });
    expect(await agent.sweep()).toBeUndefined();
    await agent.send(here, { kind: "prompt", content: "Well?" });
    await agent.sweep();
    expect(agent.provider.requests).toHaveLength(1);
    const log = await store.load(here);
    const [question] = log.flatMap((event) =>
      event.type === "record" && event.kind === "question" ? [event.data.id] : [],
    );
    const next = agentOn(store, ["Wiped.", "Yes."]);
    await next.send(here, { kind: "approve", question: question ?? "" });
    expect(await next.sweep()).toBeUndefined();
    next.provider.assertDone();
  });

  it("answers the prompts that a cancelled run left, one after another, and reads the steers with them", async () => {
    const { store } = clocked();
    const agent = agentOn(store, [block(["wipe", {}]), "Two.", "Three."]);
    await agent.ask("one", here);
    for (const content of ["two", "three"]) await agent.send(here, { kind: "prompt", content });
    await agent.send(here, { kind: "steer", content: "Be quick." });
    await agent.send(here, { kind: "cancel" });
    expect(await agent.sweep()).toBeUndefined();
    expect(said(await store.load(here))).toEqual(["one", "Be quick.", "two", "three"]);
    expect(await store.inbox(here)).toEqual([]);
    agent.provider.assertDone();
  });

  it("answers a prompt after a run that was stopped at its limit", async () => {
    const { store } = clocked();
    const stopped = createAgent({ provider: scripted([broken]), store, keyRing, budget: { steps: 1 } });
    expect(await stopped.ask("one", here)).toMatchObject({ status: "stopped", stop: { reason: "steps_limit" } });
    const agent = agentOn(store, ["Two."]);
    await agent.send(here, { kind: "prompt", content: "two" });
    expect(await agent.sweep()).toBeUndefined();
    agent.provider.assertDone();
  });

  it("answers a prompt beside a cancel that came too late", async () => {
    const { store } = clocked();
    const agent = agentOn(store, ["One.", "Two."]);
    await agent.ask("one", here);
    await agent.send(here, { kind: "cancel" });
    await agent.send(here, { kind: "prompt", content: "two" });
    expect(await agent.sweep()).toBeUndefined();
    agent.provider.assertDone();
  });

  it("leaves a run that was cancelled, whatever comes for it later", async () => {
    const { store, time } = clocked();
    const agent = agentOn(store, [block(["wipe", {}])]);
    const { waiting: [open] = [] } = await agent.ask("Wipe it.", here);
    await agent.send(here, { kind: "cancel" });
    await agent.sweep();
    const log = await store.load(here);
    // As from a process that died before it gave its lease back.
    await store.lease(here, { owner: "dead", ttl: 1000 });
    time.now += 1001;
    await agent.sweep();
    expect(await store.load(here)).toEqual(log);
    await agent.send(here, { kind: "approve", question: open?.question ?? "" }, { id: "late answer" });
    await agent.send(here, { kind: "cancel" }, { id: "late cancel" });
    expect(await agent.sweep()).toBeUndefined();
    const added = (await store.load(here)).slice(log.length);
    expect(added.map((event) => event.type === "record" && event.data)).toMatchObject([
      { id: "late answer", refused: "The question is not open." },
      { id: "late cancel", refused: "The run had ended." },
    ]);
    expect(agent.provider.requests).toHaveLength(1);
  });

  it("reads the answer that came just after a cancel, however long its proof takes", async () => {
    const { store } = clocked();
    const slowRing = {
      ...keyRing,
      async verify(...[statement, proof]: Parameters<typeof keyRing.verify>) {
        // Longer than a run waits for anything after it was cancelled.
        if (statement.id === "after the cancel") await pause(600);
        return keyRing.verify(statement, proof);
      },
    };
    const agent = agentOn(store, [block(["wipe", {}], ["wipe", {}])], undefined, slowRing);
    const { waiting: [first, second] = [] } = await agent.ask("Wipe both.", here);
    await agent.send(here, { kind: "approve", question: second?.question ?? "" });
    await agent.send(here, { kind: "cancel" });
    await agent.send(here, { kind: "approve", question: first?.question ?? "" }, { id: "after the cancel" });
    await agent.sweep();
    expect(await store.inbox(here)).toEqual([]);
    expect((await store.load(here)).at(-1)).toMatchObject({ type: "cancelled" });
  });

  it("leaves the claim of a run that was aborted before it had read its inbox, and the next sweep reads it", async () => {
    const { store, time } = clocked();
    const agent = agentOn(store, [block(["wipe", {}])]);
    const { waiting: [open] = [] } = await agent.ask("Wipe it.", here);
    await agent.send(here, { kind: "approve", question: open?.question ?? "" });
    let reads = 0;
    const stuck: Store = { ...store, inbox: (key) => (reads++ === 0 ? new Promise(() => {}) : store.inbox(key)) };
    const hasty = createAgent({
      provider: scripted([]),
      store: stuck,
      keyRing,
      tools: [wipe],
      budget: { seconds: 0.01 },
    });
    await hasty.sweep();
    time.now += 30_001;
    const next = agentOn(store, ["Wiped."]);
    expect(await next.sweep()).toBeUndefined();
    expect(await store.inbox(here)).toEqual([]);
    next.provider.assertDone();
  });

  it("tries a run that failed again after a while, and counts its attempts", async () => {
    const { time, store } = clocked();
    const agent = agentOn(store, [{ error: new ProviderError("server", "down") }, "Done."]);
    await agent.send(here, { kind: "prompt", content: "?" });
    expect(await agent.sweep()).toBe(time.now + 1000);
    time.now += 1001;
    expect(await agent.sweep()).toBeUndefined();
    agent.provider.assertDone();
  });

  it("looks at a conversation that another run holds when that one's lease ends", async () => {
    const { time, store } = clocked();
    const lease = await store.lease(here, { owner: "other", ttl: 3000 });
    const agent = agentOn(store, ["Done."]);
    await agent.send(here, { kind: "prompt", content: "?" });
    expect(await agent.sweep()).toBe(time.now + 3000);
    await lease.release();
    expect(await agent.sweep()).toBeUndefined();
    agent.provider.assertDone();
  });

  it("interrupts what runs when it is ended, and leaves it for the next sweep", async () => {
    const { store } = clocked();
    const stopping = new AbortController();
    const first = agentOn(store, [{ chunks: ["Half"], hang: true }]);
    first.on("request_started", () => setImmediate(() => stopping.abort()));
    await first.send(here, { kind: "prompt", content: "?" });
    await first.sweep({ signal: stopping.signal });
    expect((await store.load(here)).map(({ type }) => type)).not.toContain("cancelled");
    const next = agentOn(store, ["Done."]);
    expect(await next.sweep()).toBeUndefined();
    next.provider.assertDone();
  });
});

describe("recovering with `wait`", () => {
  it("waits for the run that holds the conversation, and then finds what it left", async () => {
    const store = memoryStore();
    const lease = await store.lease(here, { owner: "other", ttl: 60_000 });
    await store.append(here, [{ type: "user", content: "go", timestamp: 1 }], { lease });
    const agent = agentOn(store, ["Done."]);
    const waiting = agent.recover({ conversation, wait: true }).result;
    expect((await agentOn(store).recover(here).result).error?.code).toBe("busy");
    await lease.release();
    expect(await waiting).toMatchObject({ status: "completed", text: "Done." });
  });

  it("ends when the signal aborts", async () => {
    const store = memoryStore();
    await store.lease(here, { owner: "other", ttl: 60_000 });
    const signal = AbortSignal.timeout(10);
    expect((await agentOn(store).recover({ conversation, wait: true, signal }).result).error?.code).toBe("busy");
  });
});
