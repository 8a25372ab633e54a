import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { chosen, editor, ofKind, textOf } from "./support/editor.ts";
import { schemaFaults } from "./support/schema-judge.ts";
import { sessionFaults } from "./support/session-judge.ts";
import { callOf, site, writeCall } from "./support/site.ts";

const patience = { timeout: 20_000 };
const where = (sessionId: string) => ({ sessionId, cwd: "/project", mcpServers: [] });
const unanswered = () => new Promise<never>(() => {});
const notice = (content: string) => ({ kind: "notice" as const, source: "build", content, wakes: true });

/** The question that waits in a conversation. */
async function openQuestion(one: ReturnType<typeof site>, conversation: string): Promise<string> {
  const find = async () =>
    (await one.log(conversation)).find((event) => event.type === "record" && event.kind === "question")?.data?.id;
  await expect.poll(find, patience).toBeDefined();
  return String(await find());
}

describe("an answer that a program elsewhere only posts", () => {
  it("lets the prompt that waits go on", async () => {
    const one = site([writeCall, "Done.<end>"]);
    const here = editor(one.acp, { permission: unanswered });
    const session = await here.open();
    const answer = here.prompt(session, "Write");
    const question = await openQuestion(one, session);
    await one.agent.send({ conversation: session }, { kind: "approve", question });
    expect(await answer).toEqual({ stopReason: "end_turn" });
    expect(one.written).toHaveLength(1);
    expect(textOf(here.updates)).toBe("Done.");
    expect([...schemaFaults(here.sent), ...sessionFaults(here.sent)]).toEqual([]);
  });

  it("lets a session go on that waits without a prompt", async () => {
    const store = memoryStore();
    const session = "from-the-terminal";
    const there = site([writeCall], { store });
    await there.agent.ask("Write", { conversation: session });
    const one = site(["Done.<end>"], { store });
    const here = editor(one.acp, { permission: unanswered });
    await here.initialize();
    await here.agent.request("session/load", where(session));
    const question = await openQuestion(one, session);
    await there.agent.send({ conversation: session }, { kind: "deny", question, reason: "Not now." });
    await expect.poll(() => textOf(here.updates), patience).toBe("Done.");
    expect(one.written).toEqual([]);
    expect(ofKind(here.updates, "tool_call_update").at(-1)).toMatchObject({ status: "failed" });
    expect([...schemaFaults(here.sent), ...sessionFaults(here.sent, { watched: true })]).toEqual([]);
  });

  it("does not take up again what somebody elsewhere has cancelled", async () => {
    const store = memoryStore();
    const one = site([writeCall, "Never.<end>"], { store });
    const here = editor(one.acp, { permission: unanswered });
    const session = await here.open();
    const answer = here.prompt(session, "Write");
    await openQuestion(one, session);
    const key = { conversation: session };
    const there = site([], { store });
    await there.agent.send(key, { kind: "cancel" });
    await there.agent.recover({ ...key, wait: true, leaveCancelled: true }).result;
    expect(await answer).toEqual({ stopReason: "cancelled" });
    expect(one.written).toEqual([]);
    expect(textOf(here.updates)).toBe("");
  });
});

describe("a notice that begins a turn", () => {
  it("is read in an idle session", async () => {
    const one = site(["Hello!<end>", "The build is red.<end>"]);
    const here = editor(one.acp);
    const session = await here.open();
    await here.prompt(session, "Hi");
    await one.agent.send({ conversation: session }, notice("exit 1"));
    await expect.poll(() => textOf(here.updates), patience).toBe("Hello!The build is red.");
    expect(await one.store.inbox({ conversation: session })).toEqual([]);
    expect([...schemaFaults(here.sent), ...sessionFaults(here.sent, { watched: true })]).toEqual([]);
  });

  it("that came before is read when a session is loaded", async () => {
    const store = memoryStore();
    const there = site(["Hello!<end>"], { store });
    await there.agent.ask("Hi", { conversation: "c" });
    await there.agent.send({ conversation: "c" }, notice("exit 1"));
    const here = editor(site(["The build is red.<end>"], { store }).acp);
    await here.initialize();
    await here.agent.request("session/load", where("c"));
    await expect.poll(() => textOf(here.updates), patience).toBe("Hello!The build is red.");
  });

  it("is ended by `session/cancel`, and the session goes on with the next prompt", async () => {
    const one = site(["Hello!<end>", callOf("wait"), "Here again.<end>"], { gate: unanswered() });
    const here = editor(one.acp);
    const session = await here.open();
    await here.prompt(session, "Hi");
    await one.agent.send({ conversation: session }, notice("exit 1"));
    await expect.poll(() => JSON.stringify(here.updates), patience).toContain("in_progress");
    await here.cancel(session);
    await expect.poll(() => JSON.stringify(here.updates), patience).toContain('"failed"');
    expect(await here.prompt(session, "Go on")).toEqual({ stopReason: "end_turn" });
    expect(textOf(here.updates)).toBe("Hello!Here again.");
  });

  it("may ask, and goes on with what the person answers", async () => {
    const one = site(["Hello!<end>", writeCall, "Wrote it.<end>"]);
    const here = editor(one.acp, { permission: () => chosen("allow") });
    const session = await here.open();
    await here.prompt(session, "Hi");
    await one.agent.send({ conversation: session }, notice("exit 1"));
    await expect.poll(() => textOf(here.updates), patience).toBe("Hello!Wrote it.");
    expect(one.written).toHaveLength(1);
  });

  it("is not tried again by itself, if its turn fails after an answer", async () => {
    const one = site(["Hello!<end>", writeCall, { error: new Error("The server is down.") }, "Never.<end>"]);
    const here = editor(one.acp, {
      permission: () => chosen("allow"),
      capabilities: { session: { notices: {} } },
    });
    const session = await here.open();
    await here.prompt(session, "Hi");
    await one.agent.send({ conversation: session }, notice("exit 1"));
    await expect.poll(() => ofKind(here.updates, "notice"), patience).toHaveLength(1);
    // The last step was not played.
    expect(await here.prompt(session, "Go on")).toEqual({ stopReason: "end_turn" });
    expect(textOf(here.updates)).toBe("Hello!Never.");
    expect(ofKind(here.updates, "notice")).toHaveLength(1);
  });

  it("waits while another run is at work, and is read once", async () => {
    const gate = Promise.withResolvers<void>();
    const store = memoryStore();
    const here = editor(site(["Hello!<end>", "Read here.<end>"], { store }).acp);
    const session = await here.open();
    await here.prompt(session, "Hi");
    const there = site([callOf("wait"), "Read there.<end>", "And again.<end>"], { store, gate: gate.promise });
    const run = there.agent.ask("Wait", { conversation: session });
    await expect.poll(() => JSON.stringify(here.updates), patience).toContain("in_progress");
    await there.agent.send({ conversation: session }, notice("exit 1"));
    gate.resolve();
    await run;
    await expect.poll(() => store.inbox({ conversation: session }), patience).toEqual([]);
    const notices = (await store.load({ conversation: session })).filter(
      (event) => event.type === "user" && event.origin === "notice",
    );
    expect(notices).toHaveLength(1);
  });

  it("leaves a turn that was interrupted to the person", async () => {
    const store = memoryStore();
    const first = editor(site([callOf("wait")], { store, gate: unanswered() }).acp);
    const session = await first.open();
    first.prompt(session, "Wait").catch(() => {});
    await expect.poll(() => JSON.stringify(first.updates), patience).toContain("in_progress");
    first.connection.close();
    await first.served.close();
    const one = site(["Went on.<end>"], { store });
    const second = editor(one.acp);
    await second.initialize();
    await second.agent.request("session/load", where(session));
    await one.agent.send({ conversation: session }, notice("exit 1"));
    expect(textOf(second.updates)).toBe("");
    expect(await second.prompt(session, "Go on")).toEqual({ stopReason: "end_turn" });
    expect(textOf(second.updates)).toBe("Went on.");
  });

  it("says why its turn failed", async () => {
    const one = site(["Hello!<end>", { error: new Error("The server is down.") }]);
    const here = editor(one.acp, { capabilities: { session: { notices: {} } } });
    const session = await here.open();
    await here.prompt(session, "Hi");
    await one.agent.send({ conversation: session }, notice("exit 1"));
    await expect
      .poll(() => ofKind(here.updates, "notice"), patience)
      .toEqual([{ sessionUpdate: "notice", severity: "warning", title: "The model could not be asked." }]);
  });
});
