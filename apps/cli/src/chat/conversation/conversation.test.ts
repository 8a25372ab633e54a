import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scripted } from "@cogency/provider";
import { describe, expect, it, vi } from "vitest";
import { conversationWith } from "../../../test/support/scripted-conversation.ts";
import { statusLine } from "../status-line.ts";
import { UsageMeter } from "./usage-meter.ts";

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "latin1"));
  } catch {
    return false;
  }
}

const call = (name: string, args: object) => `<execute>${JSON.stringify([{ name, args }])}</execute>`;

describe("a conversation", () => {
  it("waits for a moment where another process is at work on it", async () => {
    const { conversation, shown, givenBack, idle } = conversationWith(["Here."]);
    const store = await conversation.session.store();
    const lease = await store.lease({ conversation: "c" }, { owner: "another process", ttl: 60_000 });
    conversation.submit("hello");
    setTimeout(() => void lease.release(), 150);
    await idle();
    expect([shown, givenBack]).toEqual([["> hello"], []]);
  });

  it("20: a steer that is typed during a call is in the next request, and what is queued is a turn after the answer", async () => {
    const { conversation, provider, shown, idle } = conversationWith([
      () => {
        conversation.submit("look at b, too");
        conversation.later("and then c");
        return call("list", { path: "." });
      },
      "Both.",
      "And c.",
    ]);
    conversation.submit("look at a");
    await vi.waitFor(() => expect(provider.requests).toHaveLength(3), { timeout: 60_000 });
    await idle();
    expect(JSON.stringify(provider.requests[1]?.messages)).toContain("look at b, too");
    expect(JSON.stringify(provider.requests[1]?.messages)).not.toContain("and then c");
    expect(JSON.stringify(provider.requests[2]?.messages.at(-1))).toContain("and then c");
    expect(shown.filter((line) => line.startsWith("> "))).toEqual(["> look at a", "> look at b, too", "> and then c"]);
  });

  it("20: a steer after the last step becomes a turn of its own", async () => {
    const { conversation, provider, idle } = conversationWith([
      () => {
        conversation.submit("too late");
        return "Done.";
      },
      "That, too.",
    ]);
    conversation.submit("go");
    await vi.waitFor(() => expect(provider.requests).toHaveLength(2), { timeout: 60_000 });
    await idle();
    expect(JSON.stringify(provider.requests[1]?.messages.at(-1))).toContain("too late");
  });

  it("20, 21: what was not sent comes back, after Esc and after a cancel, and the partial answer is in the log", async () => {
    const { conversation, givenBack, events, shown, idle } = conversationWith([
      { chunks: ["I am ", "about"], hang: true },
    ]);
    conversation.submit("go");
    await vi.waitFor(() => expect(events.map(({ type }) => type)).toContain("respond"), { timeout: 60_000 });
    conversation.submit("one");
    conversation.later("two");
    expect(conversation.takeBack()).toBe("one\ntwo");
    conversation.later("three");
    expect(conversation.cancel("Esc.")).toBe(true);
    await idle();
    await vi.waitFor(() => expect(givenBack).toEqual(["three"]), { timeout: 60_000 });
    expect(shown.at(-1)).toMatch(/^Cancelled/);
    const log = await (await conversation.session.store()).load({ conversation: "c" });
    expect(log).toContainEqual(expect.objectContaining({ type: "respond", content: expect.stringMatching(/^I am/) }));
  });

  it("a prompt that never reached the log comes back, and the conversation stays usable", async () => {
    const { conversation, givenBack, shown, idle } = conversationWith(["Hello."]);
    conversation.submit("look at @missing.png");
    await idle();
    expect(givenBack).toEqual(["look at @missing.png"]);
    expect(shown.at(-1)).toContain("missing.png");
    conversation.submit("hello");
    await vi.waitFor(() => expect(shown).toContain("> hello"), { timeout: 60_000 });
  });

  it("25: an own command is shown, and the model reads its output with the next prompt unless it began with !!", async () => {
    const { conversation, provider, shown, idle } = conversationWith(["I see."]);
    conversation.submit("!echo for the $((1 + 1)) of us");
    conversation.submit("!!echo for $((2 - 1)) only");
    await vi.waitFor(() => expect(shown).toContain("for 1 only"), { timeout: 60_000 });
    expect(shown).toContain("for the 2 of us");
    conversation.submit("what did I run?");
    await vi.waitFor(() => expect(provider.requests).toHaveLength(1), { timeout: 60_000 });
    await idle();
    const request = JSON.stringify(provider.requests[0]?.messages);
    expect(request).toContain("for the 2 of us");
    expect(request).not.toContain("for 1 only");
    expect(shown).toContain("> what did I run?");
  });

  it("E11: an own command returns when its shell has, and what it left running ends with the chat", async () => {
    const { conversation, provider, shown, idle, root } = conversationWith(["I see."]);
    conversation.submit("!sleep 600 & echo $! > pid");
    await vi.waitFor(() => expect(shown).toContain("1 program of it goes on until the chat ends."), {
      timeout: 60_000,
    });
    const pid = Number(readFileSync(join(root, "pid"), "utf8"));
    expect(isRunning(pid)).toBe(true);
    conversation.submit("and now?");
    await vi.waitFor(() => expect(provider.requests).toHaveLength(1), { timeout: 60_000 });
    await idle();
    // It printed nothing, so the conversation holds no untrusted text of it.
    expect(JSON.stringify(provider.requests[0]?.messages)).toContain("It printed nothing.");
    const log = await (await conversation.session.store()).load({ conversation: "c" });
    expect(log.filter((event) => event.type === "record" && event.kind === "content")).toEqual([]);
    await conversation.close();
    expect(isRunning(pid)).toBe(false);
    expect(shown.at(-1)).toBe("1 program of yours was ended with the chat.");
  });

  it("a command in the background is in the foot, and ends when the conversation is left", async () => {
    const start = call("shell", { command: "echo up; exec sleep 600", background: true });
    const talk = conversationWith([start, "It runs.", "Fine."], {}, { yes: true, sandbox: "off" });
    const { conversation, shown, idle } = talk;
    conversation.submit("start it");
    await vi.waitFor(() => expect(conversation.state.jobs).toBe(1), { timeout: 60_000 });
    await idle();
    expect(statusLine({ ...conversation.state, isAsking: false, place: "" }, conversation.usage, 200, 0)).toMatch(
      /^ready · mode yes · 1 in the background · \/jobs/,
    );
    await conversation.command("jobs");
    expect(shown.at(-1)).toMatch(/^job_1: echo up; exec sleep 600 · \d+ s · up$/);
    await conversation.command("jobs", "open 3000");
    expect(shown.at(-1)).toContain("open already");
    await conversation.command("new");
    expect(shown).toContain("1 command in the background was ended with the conversation that you leave.");
    expect(conversation.state.jobs).toBe(0);
    await conversation.command("resume", "c");
    conversation.submit("go on");
    await vi.waitFor(() => expect(talk.provider.requests).toHaveLength(3), { timeout: 60_000 });
    await idle();
    expect(JSON.stringify(talk.provider.requests.at(-1)?.messages)).toContain(
      "ended: job_1 (echo up; exec sleep 600).",
    );
  });

  it("25: a prompt that is typed while an own command runs waits for its output, and comes back if the command is stopped", async () => {
    const { conversation, provider, shown, givenBack, idle } = conversationWith(["I see."]);
    conversation.submit("!sleep 60");
    await vi.waitFor(() => expect(conversation.state.own?.line).toBe("sleep 60"), { timeout: 60_000 });
    conversation.submit("what does it say?");
    expect(conversation.state.queue).toEqual(["what does it say?"]);
    conversation.cancel("Esc.");
    expect(givenBack).toEqual(["what does it say?"]);
    await idle();
    conversation.submit("!sleep 0.2; echo three and $((1 + 2))");
    conversation.submit("!echo four and $((2 + 2))");
    conversation.submit("and what now?");
    await vi.waitFor(() => expect(provider.requests).toHaveLength(1), { timeout: 60_000 });
    await idle();
    expect(JSON.stringify(provider.requests[0]?.messages.at(-1))).toMatch(/and what now\?.*three and 3.*four and 4/);
    expect(shown).toContain("> and what now?");
  });

  it("26: the numbers are the sums of the log, and say that they were estimated", async () => {
    const { conversation, idle } = conversationWith([call("list", { path: "." }), "Done.", "Again."]);
    conversation.submit("go");
    conversation.later("again");
    await vi.waitFor(() => expect(conversation.usage.output).toBeGreaterThan(0), { timeout: 60_000 });
    await idle();
    const log = await (await conversation.session.store()).load({ conversation: "c" });
    expect(conversation.usage).toEqual(UsageMeter.of(log));
    expect(conversation.usage.text()).toMatch(/^about [\d,]+ tokens in, about/);
    expect(conversation.usage.contextText(100_000)).toMatch(/^context about (?:below 1|\d+) % \([\d,]+ of 100,000\)$/);
  });

  it("27: /model in the middle sends the whole conversation to the other model", async () => {
    const other = scripted(["I am the other one."]);
    const { conversation, provider, idle } = conversationWith(["I am the first."], { other });
    conversation.submit("who are you?");
    await vi.waitFor(() => expect(provider.requests).toHaveLength(1), { timeout: 60_000 });
    await idle();
    await conversation.command("model", "other");
    conversation.submit("and now?");
    await vi.waitFor(() => expect(other.requests).toHaveLength(1), { timeout: 60_000 });
    await idle();
    expect(provider.requests).toHaveLength(1);
    expect(JSON.stringify(other.requests[0]?.messages)).toContain("I am the first.");
  });

  it("29: the reason of a refusal reaches the model", async () => {
    const { conversation, provider, idle } = conversationWith([
      call("write", { file: "a.txt", content: "a" }),
      "As you wish.",
    ]);
    conversation.submit("write it");
    await vi.waitFor(() => expect(provider.requests).toHaveLength(2), { timeout: 60_000 });
    await idle();
    expect(JSON.stringify(provider.requests[1]?.messages.at(-1))).toContain("not today");
  });

  it("E5: a limit that ends a turn is told once", async () => {
    const step = call("list", { path: "." });
    const { conversation, events, shown, provider, idle } = conversationWith([step, step], {}, { maxSteps: 1 });
    conversation.submit("go");
    await vi.waitFor(() => expect(provider.requests).toHaveLength(1), { timeout: 60_000 });
    await idle();
    const told = [...events.flatMap((event) => (event.type === "error" ? [event.content] : [])), ...shown];
    expect(told.filter((text) => /1 of 1 step/.test(text))).toHaveLength(1);
  });

  it("a turn that was cancelled is said when the conversation is resumed, and /continue goes on with it", async () => {
    const { conversation, provider, events, shown, idle } = conversationWith([
      { chunks: ["I am"], hang: true },
      "Here I am.",
    ]);
    conversation.submit("go");
    await vi.waitFor(() => expect(events.map(({ type }) => type)).toContain("respond"), { timeout: 60_000 });
    conversation.cancel("Ctrl-C.");
    await idle();
    await conversation.goTo("c");
    expect(shown.at(-1)).toContain("/continue");
    await conversation.command("continue");
    await vi.waitFor(() => expect(provider.requests).toHaveLength(2), { timeout: 60_000 });
    await idle();
  });

  it("a mistyped command is answered with the nearest one", async () => {
    const { conversation, shown } = conversationWith([]);
    await conversation.command("toosl");
    expect(shown.at(-1)).toContain("Did you mean /tools?");
  });
});
