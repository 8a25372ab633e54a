import type { LogEvent } from "@cogency/protocol";
import type { NoticeContent } from "@cogency/storage/adapter";
import { describe, expect, it, vi } from "vitest";
import { conversationWith } from "../../../test/support/scripted-conversation.ts";
import type { ConversationView } from "./conversation-view.ts";
import { showPast } from "./show-past.ts";

const long = { timeout: 60_000 };
const failed: NoticeContent = { kind: "notice", source: "ci", content: "build 12 failed" };

/** A chat that has answered once, and what sends to its conversation. */
async function chatWith(...answers: string[]) {
  const made = conversationWith(["Hello.<end>", ...answers]);
  const { conversation, idle, events } = made;
  await conversation.load();
  conversation.submit("hi");
  await vi.waitFor(() => expect(events.some(({ type }) => type === "run_ended")).toBe(true), long);
  await idle();
  const { agent } = await conversation.session.open();
  const send = (notice: NoticeContent) => agent.send({ conversation: "c" }, notice);
  return { ...made, send };
}

describe("a notice from outside, in a chat", () => {
  it("that is idle is shown, and the model goes on by itself", async () => {
    const { provider, shown, send, idle } = await chatWith("I see.<end>");
    await send(failed);
    await vi.waitFor(() => expect(provider.requests).toHaveLength(2), long);
    await idle();
    expect(shown).toContain("A notice from outside.\n- ci: build 12 failed");
    expect(JSON.stringify(provider.requests[1]?.messages)).toContain("ci: build 12 failed");
  });

  it("that wakes nobody is read with the next prompt, and begins no turn before", async () => {
    const { conversation, provider, send, idle } = await chatWith("I see.<end>", "Yes.<end>");
    await send({ ...failed, wakes: false });
    await send({ ...failed, source: "job_1", content: "ended" });
    await vi.waitFor(() => expect(provider.requests).toHaveLength(2), long);
    await idle();
    // The one that wakes has brought the other one along.
    expect(JSON.stringify(provider.requests[1]?.messages)).toContain("build 12 failed");
    await send({ ...failed, content: "build 13 failed", wakes: false });
    conversation.submit("well?");
    await vi.waitFor(() => expect(provider.requests).toHaveLength(3), long);
    await idle();
    expect(JSON.stringify(provider.requests[2]?.messages)).toContain("build 13 failed");
  });

  it("whose last turn was cancelled waits for the person, and is read with what they say next", async () => {
    const { conversation, provider, shown, send, idle } = await chatWith("Unheard.<end>", "I see.<end>");
    const store = await conversation.session.store();
    await store.append({ conversation: "c" }, [
      { type: "user", content: "do it", timestamp: 2 },
      { type: "cancelled", timestamp: 3 },
    ]);
    const inbox = vi.spyOn(store, "inbox");
    await send(failed);
    await vi.waitFor(() => expect(inbox).toHaveBeenCalled(), long);
    await idle();
    expect(provider.requests).toHaveLength(1);
    conversation.submit("well?");
    await vi.waitFor(() => expect(shown).toContain("A notice from outside.\n- ci: build 12 failed"), long);
    await idle();
    expect(provider.requests).toHaveLength(2);
  });

  it("that began a turn, or came in one, stands before the answer when the conversation is resumed", () => {
    const sources = [{ source: "ci", count: 1 }];
    const notice = (content: string): LogEvent => ({ type: "user", content, origin: "notice", sources, timestamp: 1 });
    const respond = (content: string): LogEvent => ({ type: "respond", content, timestamp: 1 });
    const past: string[] = [];
    const view = {
      said: (text: string) => past.push(`> ${text}`),
      remark: (text: string) => past.push(text),
    } as unknown as ConversationView;
    const log: LogEvent[] = [
      { type: "user", content: "hi", timestamp: 1 },
      notice("A notice from outside.\n- ci: one"),
      respond("Hello."),
      notice("A notice from outside.\n- ci: \u001b[2Jtwo"),
      respond("I see."),
      { type: "record", kind: "run", data: { status: "completed" }, timestamp: 1 },
    ];
    showPast(log, "c", view, (event) => event.type === "respond" && past.push(event.content));
    expect(past).toEqual([
      "Going on with c.",
      "> hi",
      "A notice from outside.\n- ci: one",
      "Hello.",
      "A notice from outside.\n- ci: \\u001b[2Jtwo",
      "I see.",
    ]);
  });

  it("cannot move the cursor: control characters of its text are shown as escapes", async () => {
    const { shown, send, provider, idle } = await chatWith("I see.<end>");
    await send({ ...failed, holds: "untrusted", content: "\u001b[2Jgone" });
    await vi.waitFor(() => expect(provider.requests).toHaveLength(2), long);
    await idle();
    expect(shown.join("\n")).toContain("[2Jgone");
    expect(shown.join("\n")).not.toContain("\u001b");
  });
});
