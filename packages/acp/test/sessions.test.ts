import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { chosen, editor, ofKind, type Sent, textOf } from "./support/editor.ts";
import { schemaFaults } from "./support/schema-judge.ts";
import { sessionFaults } from "./support/session-judge.ts";
import { callOf, site, writeCall } from "./support/site.ts";

const everything = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  session: { notices: {}, compaction: {} },
  elicitation: { form: {} },
};

/** Whole sessions: each is played, and all of its messages are judged. */
const sessions: Readonly<Record<string, () => Promise<readonly Sent[]>>> = {
  async "a text"() {
    const here = editor(site(["Hello!<end>"]).acp);
    await here.prompt(await here.open(), "Hi");
    return here.sent;
  },
  async "thinking, two turns, and a title"() {
    const one = site(["<think>First.</think>Hello!<end>", "Again!<end>"]);
    const here = editor(one.acp, { capabilities: everything });
    const session = await here.open();
    await here.prompt(session, "Hi");
    await here.prompt(session, "And?");
    expect(textOf(here.updates)).toBe("Hello!Again!");
    return here.sent;
  },
  async "calls side by side, one of which fails"() {
    const calls = '<execute>[{"name":"sum","args":{"a":1,"b":2}},{"name":"nothing","args":{}}]</execute>';
    const here = editor(site([calls, "Done.<end>"]).acp);
    await here.prompt(await here.open(), "Add");
    const ends = ofKind(here.updates, "tool_call_update").flatMap(({ status }) => status ?? []);
    expect(ends).toEqual(expect.arrayContaining(["completed", "failed"]));
    return here.sent;
  },
  async "an approval"() {
    const one = site([writeCall, "Done.<end>"]);
    const here = editor(one.acp, { permission: () => chosen("allow") });
    await here.prompt(await here.open(), "Write");
    expect(one.written).toHaveLength(1);
    return here.sent;
  },
  async "a refusal"() {
    const one = site([writeCall, "Not done.<end>"]);
    const here = editor(one.acp, { permission: () => chosen("deny") });
    expect(await here.prompt(await here.open(), "Write")).toEqual({ stopReason: "end_turn" });
    expect(one.written).toEqual([]);
    return here.sent;
  },
  async "a form"() {
    const one = site([callOf("paint"), "Painted.<end>"]);
    const form = () => ({ action: "accept" as const, content: { colour: "green" } });
    const here = editor(one.acp, { capabilities: everything, form });
    await here.prompt(await here.open(), "Paint");
    expect(JSON.stringify(here.updates)).toContain("painted green");
    return here.sent;
  },
  async "a choice where the editor has no forms"() {
    const one = site([callOf("paint"), "Painted.<end>"]);
    const here = editor(one.acp, { permission: () => chosen("choice-0") });
    await here.prompt(await here.open(), "Paint");
    expect(JSON.stringify(here.updates)).toContain("painted red");
    return here.sent;
  },
  async "a form that is declined"() {
    const one = site([callOf("paint"), "No colour.<end>"]);
    const here = editor(one.acp, { capabilities: everything, form: () => ({ action: "decline" }) });
    expect(await here.prompt(await here.open(), "Paint")).toEqual({ stopReason: "end_turn" });
    expect(ofKind(here.updates, "tool_call_update").at(-1)).toMatchObject({ status: "failed" });
    return here.sent;
  },
  async "a cancel in a call"() {
    const { promise, resolve } = Promise.withResolvers<void>();
    const here = editor(site([callOf("wait"), "Never.<end>"], { gate: promise }).acp);
    const session = await here.open();
    const answer = here.prompt(session, "Wait");
    await expect.poll(() => JSON.stringify(here.updates), { timeout: 20_000 }).toContain("in_progress");
    await here.cancel(session);
    expect(await answer).toEqual({ stopReason: "cancelled" });
    resolve();
    return here.sent;
  },
  async "a cancel while the person is asked, and a turn after it"() {
    const one = site([writeCall, "Second.<end>"]);
    const asked = Promise.withResolvers<void>();
    const permission = () => {
      asked.resolve();
      return new Promise<never>(() => {});
    };
    const here = editor(one.acp, { permission });
    const session = await here.open();
    const answer = here.prompt(session, "Write");
    await asked.promise;
    await here.cancel(session);
    expect(await answer).toEqual({ stopReason: "cancelled" });
    expect(one.written).toEqual([]);
    expect(JSON.stringify(here.sent)).toContain("$/cancel_request");
    expect(await here.prompt(session, "Then?")).toEqual({ stopReason: "end_turn" });
    return here.sent;
  },
  async "a failed run"() {
    const here = editor(site([]).acp);
    const failed = here.prompt(await here.open(), "Hi");
    await expect(failed).rejects.toMatchObject({ code: -32603, message: expect.stringMatching(/\S/) });
    return here.sent;
  },
  async "a load in another editor, and a turn there"() {
    const store = memoryStore();
    const first = editor(site(["<think>So.</think>Hello!<end>"], { store }).acp);
    const session = await first.open();
    await first.prompt(session, "Hi");
    const second = editor(site(["Again!<end>"], { store }).acp);
    await second.initialize();
    await second.agent.request("session/load", { sessionId: session, cwd: "/project", mcpServers: [] });
    expect(textOf(second.updates, "user_message_chunk")).toBe("Hi");
    expect(textOf(second.updates)).toBe("Hello!");
    await second.prompt(session, "And?");
    expect(textOf(second.updates)).toBe("Hello!Again!");
    return second.sent;
  },
  async "a resume, a close and a delete"() {
    const store = memoryStore();
    const removed: string[] = [];
    const acp = {
      remove: async (session: string) => void removed.push(session),
      list: async () => ({ sessions: [{ session: "s", cwd: "/project", title: "One", updatedAt: 0 }], next: "more" }),
    };
    const first = editor(site(["Hello!<end>"], { store }).acp);
    const session = await first.open();
    await first.prompt(session, "Hi");
    const second = editor(site(["Again!<end>"], { store, acp }).acp);
    await second.initialize();
    expect(await second.agent.request("session/list", {})).toMatchObject({ sessions: [{ sessionId: "s" }] });
    await second.agent.request("session/resume", { sessionId: session, cwd: "/project" });
    expect(textOf(second.updates)).toBe("");
    await second.prompt(session, "And?");
    await second.agent.request("session/close", { sessionId: session });
    await second.agent.request("session/delete", { sessionId: session });
    expect(removed).toEqual([session]);
    return second.sent;
  },
  async "modes, settings and commands"() {
    let mode = "ask";
    let model = "a";
    const changes: ((what: "modes" | "settings" | "commands") => void)[] = [];
    const one = site(["From a command.<end>"], {
      session: {
        modes: {
          available: [
            { id: "ask", name: "Ask" },
            { id: "edits", name: "Edits" },
          ],
          current: () => mode,
          set: async (id) => {
            mode = id;
          },
        },
        settings: {
          list: () => [
            {
              id: "model",
              name: "Model",
              category: "model",
              current: model,
              choices: [
                { value: "a", name: "A" },
                { value: "b", name: "B" },
              ],
            },
          ],
          set: async (_, value) => {
            model = value;
          },
        },
        commands: {
          list: () => [{ name: "review", description: "Reviews.", hint: "what" }],
          expand: async (text, say) => {
            if (text.startsWith("/help")) say("Help.");
            return text.startsWith("/help") ? { type: "done" } : { type: "prompt", text: "Review it." };
          },
        },
        onChange: (changed) => {
          changes.push(changed);
          return () => {};
        },
        contextWindow: () => 1000,
      },
    });
    const here = editor(one.acp);
    await here.initialize();
    const made = await here.agent.request("session/new", { cwd: "/project", mcpServers: [] });
    expect(made).toMatchObject({
      modes: { currentModeId: "ask" },
      configOptions: [{ id: "model", currentValue: "a" }],
    });
    const sessionId = made.sessionId;
    await here.agent.request("session/set_mode", { sessionId, modeId: "edits" });
    await here.agent.request("session/set_config_option", { sessionId, configId: "model", value: "b" });
    expect([mode, model]).toEqual(["edits", "b"]);
    await expect.poll(() => ofKind(here.updates, "available_commands_update"), { timeout: 20_000 }).toHaveLength(1);
    for (const what of ["modes", "settings", "commands"] as const) changes[0]?.(what);
    expect(await here.prompt(sessionId, "/help")).toEqual({ stopReason: "end_turn" });
    await here.prompt(sessionId, "/review");
    expect(textOf(here.updates)).toBe("Help.From a command.");
    expect(JSON.stringify(one.provider.requests)).toContain("Review it.");
    expect(ofKind(here.updates, "usage_update").at(-1)).toMatchObject({ size: 1000 });
    return here.sent;
  },
  async "a fork"() {
    const store = memoryStore();
    const one = site(["Hello!<end>", "Forked.<end>"], {
      store,
      acp: { fork: async (session, as) => void (await one.agent.fork(session, { as })) },
    });
    const here = editor(one.acp);
    const session = await here.open();
    await here.prompt(session, "Hi");
    const forked = await here.agent.request<{ sessionId: string }>("session/fork", {
      sessionId: session,
      cwd: "/project",
    });
    expect(forked.sessionId).not.toBe(session);
    await here.prompt(forked.sessionId, "And?");
    expect(JSON.stringify(await store.load({ conversation: forked.sessionId }))).toContain("Forked.");
    return here.sent;
  },
};

describe.each(Object.entries(sessions))("a session with %s", (_, play) => {
  it("has only messages of the protocol, in an order that makes sense", async () => {
    const sent = await play();
    expect(schemaFaults(sent)).toEqual([]);
    expect(sessionFaults(sent)).toEqual([]);
  });
});
