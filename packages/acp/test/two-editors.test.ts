import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { chosen, editor, ofKind, textOf } from "./support/editor.ts";
import { schemaFaults } from "./support/schema-judge.ts";
import { sessionFaults } from "./support/session-judge.ts";
import { callOf, site, writeCall } from "./support/site.ts";

const patience = { timeout: 20_000 };
const where = (sessionId: string) => ({ sessionId, cwd: "/project", mcpServers: [] });

describe("two editors on one session", () => {
  it("one writes, and the other one sees the same", async () => {
    const gate = Promise.withResolvers<void>();
    const store = memoryStore();
    const first = editor(site([callOf("wait"), "Done.<end>"], { store, gate: gate.promise }).acp);
    const session = await first.open();
    const answer = first.prompt(session, "Wait");
    await expect.poll(() => JSON.stringify(first.updates), patience).toContain("in_progress");
    const second = editor(site([], { store }).acp);
    await second.initialize();
    await second.agent.request("session/load", where(session));
    expect(ofKind(second.updates, "tool_call")).toHaveLength(1);
    gate.resolve();
    expect(await answer).toEqual({ stopReason: "end_turn" });
    await expect.poll(() => textOf(second.updates), patience).toBe("Done.");
    expect(textOf(second.updates, "user_message_chunk")).toBe("Wait");
    expect([...schemaFaults(second.sent), ...sessionFaults(second.sent, { watched: true })]).toEqual([]);
  });

  it("the one that watches may answer, and the question of the other one is taken back", async () => {
    const store = memoryStore();
    const one = site([writeCall, "Done.<end>"], { store });
    const first = editor(one.acp, { permission: () => new Promise<never>(() => {}) });
    const session = await first.open();
    const answer = first.prompt(session, "Write");
    await expect.poll(() => JSON.stringify(first.sent), patience).toContain("request_permission");
    const two = site(["Done.<end>"], { store });
    const second = editor(two.acp, { permission: () => chosen("allow") });
    await second.initialize();
    await second.agent.request("session/load", where(session));
    expect(await answer).toEqual({ stopReason: "end_turn" });
    expect([...one.written, ...two.written]).toHaveLength(1);
    expect(JSON.stringify(first.sent)).toContain("$/cancel_request");
    await expect.poll(() => JSON.stringify(second.updates), patience).toContain("completed");
    expect([...schemaFaults(first.sent), ...sessionFaults(first.sent, { watched: true })]).toEqual([]);
  });

  it("the one that watches may write: its words wait for the run of the other one", async () => {
    const gate = Promise.withResolvers<void>();
    const store = memoryStore();
    const one = site([callOf("wait"), "First.<end>", "Second.<end>"], { store, gate: gate.promise });
    const first = editor(one.acp);
    const session = await first.open();
    const answer = first.prompt(session, "Wait");
    await expect.poll(() => JSON.stringify(first.updates), patience).toContain("in_progress");
    const second = editor(site([], { store }).acp);
    await second.initialize();
    await second.agent.request("session/load", where(session));
    const later = second.prompt(session, "And then?");
    await expect.poll(() => store.inbox({ conversation: session }), patience).toHaveLength(1);
    gate.resolve();
    expect(await answer).toEqual({ stopReason: "end_turn" });
    expect(await later).toEqual({ stopReason: "end_turn" });
    expect(textOf(second.updates)).toBe("First.Second.");
    expect(textOf(second.updates, "user_message_chunk")).toBe("Wait");
    expect(textOf(first.updates, "user_message_chunk")).toBe("And then?");
  });

  it("words with an embedded file wait until the other run is over, and say what they hold", async () => {
    const gate = Promise.withResolvers<void>();
    const store = memoryStore();
    const first = editor(site([callOf("wait"), "First.<end>"], { store, gate: gate.promise }).acp);
    const session = await first.open();
    const answer = first.prompt(session, "Wait");
    await expect.poll(() => JSON.stringify(first.updates), patience).toContain("in_progress");
    const second = editor(site(["Second.<end>"], { store }).acp);
    await second.initialize();
    await second.agent.request("session/load", where(session));
    const resource = { uri: "file:///etc/motd", text: "Welcome." };
    const prompt = [{ type: "resource" as const, resource }];
    const later = second.agent.request("session/prompt", { sessionId: session, prompt });
    gate.resolve();
    await answer;
    expect(await later).toEqual({ stopReason: "end_turn" });
    expect(JSON.stringify(await store.load({ conversation: session }))).toContain('"holds":"untrusted"');
  });

  it("the one that watches may cancel what it has joined", async () => {
    const store = memoryStore();
    const one = site([callOf("wait"), "Never.<end>"], { store, gate: new Promise(() => {}) });
    const first = editor(one.acp);
    const session = await first.open();
    const answer = first.prompt(session, "Wait");
    await expect.poll(() => JSON.stringify(first.updates), patience).toContain("in_progress");
    const second = editor(site([], { store }).acp);
    await second.initialize();
    await second.agent.request("session/load", where(session));
    const later = second.prompt(session, "And then?");
    await expect.poll(() => store.inbox({ conversation: session }), patience).toHaveLength(1);
    await second.cancel(session);
    expect(await later).toEqual({ stopReason: "cancelled" });
    expect(await answer).toEqual({ stopReason: "cancelled" });
  });

  it("sees the turns of others while it is idle", async () => {
    const store = memoryStore();
    const here = editor(site(["Hello!<end>"], { store }).acp);
    const session = await here.open();
    await here.prompt(session, "Hi");
    await site(["From the terminal.<end>"], { store }).agent.ask("Typed there", { conversation: session });
    await expect.poll(() => textOf(here.updates), patience).toBe("Hello!From the terminal.");
    expect(textOf(here.updates, "user_message_chunk")).toBe("Typed there");
  });

  it("is asked at a load what is open, and goes on with the answer without a prompt", async () => {
    const store = memoryStore();
    const session = "from-the-terminal";
    await site([writeCall], { store }).agent.ask("Write", { conversation: session });
    const one = site(["Done.<end>"], { store });
    const here = editor(one.acp, { permission: () => chosen("allow") });
    await here.initialize();
    await here.agent.request("session/load", where(session));
    await expect.poll(() => textOf(here.updates), patience).toBe("Done.");
    expect(one.written).toHaveLength(1);
    expect([...schemaFaults(here.sent), ...sessionFaults(here.sent, { watched: true })]).toEqual([]);
  });
});

describe("an editor that goes", () => {
  it("interrupts its turn, and the next one goes on with the session", async () => {
    const store = memoryStore();
    const one = site([callOf("wait")], { store, gate: new Promise(() => {}) });
    const first = editor(one.acp);
    const session = await first.open();
    const lost = first.prompt(session, "Wait").catch((error: unknown) => error);
    await expect.poll(() => JSON.stringify(first.updates), patience).toContain("in_progress");
    first.connection.close();
    await first.served.close();
    expect(await lost).toBeInstanceOf(Error);
    expect(one.closed).toEqual([session]);
    const second = editor(site(["Went on.<end>"], { store }).acp);
    await second.initialize();
    await second.agent.request("session/load", where(session));
    expect(ofKind(second.updates, "tool_call_update").at(-1)).toMatchObject({ status: "failed" });
    expect(await second.prompt(session, "Go on")).toEqual({ stopReason: "end_turn" });
    expect(textOf(second.updates)).toBe("Went on.");
  });

  it("leaves a question open, which the next one is asked", async () => {
    const store = memoryStore();
    const first = editor(site([writeCall], { store }).acp, { permission: () => new Promise<never>(() => {}) });
    const session = await first.open();
    first.prompt(session, "Write").catch(() => {});
    await expect.poll(() => JSON.stringify(first.sent), patience).toContain("request_permission");
    first.connection.close();
    await first.served.close();
    const one = site(["Done.<end>"], { store });
    const second = editor(one.acp, { permission: () => chosen("allow") });
    await second.initialize();
    await second.agent.request("session/resume", where(session));
    await expect.poll(() => textOf(second.updates), patience).toBe("Done.");
    expect(one.written).toHaveLength(1);
    expect([...schemaFaults(second.sent), ...sessionFaults(second.sent, { watched: true })]).toEqual([]);
  });
});
