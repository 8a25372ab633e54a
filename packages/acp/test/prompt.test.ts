import { describe, expect, it } from "vitest";
import { chosen, editor, ofKind, textOf } from "./support/editor.ts";
import { callOf, site, writeCall } from "./support/site.ts";

describe("a prompt", () => {
  it("is answered when all of its updates are out", async () => {
    const here = editor(site(["<think>A thought.</think>Hello!<end>"]).acp);
    const session = await here.open();
    expect(await here.prompt(session, "Hi")).toEqual({ stopReason: "end_turn" });
    expect(textOf(here.updates)).toBe("Hello!");
    expect(textOf(here.updates, "agent_thought_chunk")).toBe("A thought.");
    expect(textOf(here.updates, "user_message_chunk")).toBe("");
    const last = here.sent.at(-1);
    expect(last?.message).toMatchObject({ result: { stopReason: "end_turn" } });
  });

  it("asks the editor before a call that needs approval, and goes on with its answer", async () => {
    const one = site([writeCall, "Done.<end>"]);
    const asked: unknown[] = [];
    const here = editor(one.acp, {
      permission: (request) => {
        asked.push(request.options.map(({ kind }) => kind));
        return chosen("allow");
      },
    });
    const session = await here.open();
    expect(await here.prompt(session, "Write")).toEqual({ stopReason: "end_turn" });
    expect(one.written).toEqual([{ file: "a.txt", content: "hello" }]);
    expect(asked).toEqual([["allow_once", "reject_once"]]);
    expect(ofKind(here.updates, "tool_call")).toMatchObject([{ title: "write", kind: "edit", status: "pending" }]);
    expect(
      ofKind(here.updates, "tool_call_update")
        .map(({ status }) => status)
        .filter(Boolean),
    ).toEqual(["in_progress", "completed"]);
    expect(one.errors).toEqual([]);
  });

  it("is cancelled while a call runs", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const one = site([callOf("wait"), "Never.<end>"], { gate: promise });
    const here = editor(one.acp);
    const session = await here.open();
    const answer = here.prompt(session, "Wait");
    await expect.poll(() => JSON.stringify(here.updates), { timeout: 20_000 }).toContain("in_progress");
    await here.cancel(session);
    expect(await answer).toEqual({ stopReason: "cancelled" });
    resolve();
    expect(ofKind(here.updates, "tool_call_update").at(-1)).toMatchObject({ status: "failed" });
  });
});
