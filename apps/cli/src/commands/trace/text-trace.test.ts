import type { PageEvent } from "@cogency/page";
import { ShownConversation } from "@cogency/page";
import { expect, it } from "vitest";
import { textTrace } from "./text-trace.ts";

const record = (timestamp: number, kind: string, data: object) => ({ type: "record", kind, data, timestamp });
const usage = { input: 1000, output: 50, cacheRead: 3000, cacheWrite: 0, reasoning: 0, duration: 2 };

function conversationOf(...events: object[]): ShownConversation {
  const conversation = new ShownConversation();
  for (const [i, event] of events.entries()) conversation.write({ ...event, seq: i + 1 } as PageEvent);
  return conversation;
}

it("draws each step and call where it stands in time, says which failed, and fits the terminal", () => {
  const conversation = conversationOf(
    { type: "user", content: "go", timestamp: 0 },
    record(0, "request", { provider: "p", model: "m", driver: "d" }),
    { type: "respond", content: "I look.", timestamp: 2 },
    { type: "call", id: "a", content: '{"name":"read\\u001b[2J","args":{}}', timestamp: 4 },
    { type: "call", id: "b", content: '{"name":"shell","args":{}}', timestamp: 4 },
    record(4, "usage", usage),
    record(4, "started", { id: "a" }),
    record(6, "started", { id: "b" }),
    record(6, "finished", { id: "a" }),
    record(8, "finished", { id: "b" }),
    {
      type: "result",
      content: '[{"tool":"read","status":"success","content":""},{"tool":"shell","status":"failure","content":"no"}]',
      payload: {},
      ids: ["a", "b"],
      timestamp: 8,
    },
    record(8, "run", { status: "completed" }),
  );
  const lines = textTrace(conversation, 60);
  expect(lines).toEqual([
    "1 step · 2 calls (1 failed) · 4,000 tokens in (75 % cached),",
    "50 out · 2.00 s",
    "",
    "Run 1, 8.00 s",
    "1 m                  ░░░░░░▓▓▓▓▓▓▓▓                 4.00 s",
    "  read\\u001b[2J                   ███████           2.00 s",
    "  shell                           ······███████     2.00 s ✗",
    "",
    "░ asked, ▓ written, · waited, █ ran, ✗ failed",
  ]);
  expect(textTrace(conversation, 40).every((line) => line.length <= 40)).toBe(true);
});

it("says how far the plan is", () => {
  const steps = [
    { step: "Look", state: "done" },
    { step: "Write\u001b[2J it", state: "now" },
  ];
  const conversation = conversationOf(
    { type: "call", id: "a", content: JSON.stringify({ name: "plan", args: { steps } }), timestamp: 4 },
    record(5, "finished", { id: "a", result: { tool: "plan", status: "success", content: "ok" } }),
  );
  const [, second] = textTrace(conversation, 80);
  expect(second).toBe("plan 1/2 · Write\\u001b[2J it");
});

it("draws nothing of a log without steps", () => {
  expect(textTrace(conversationOf({ type: "user", content: "go", timestamp: 0 }), 80)).toEqual([
    "0 steps · 0 calls · 0 tokens in (– cached), 0 out · 0 ms",
    "",
    "░ asked, ▓ written, · waited, █ ran, ✗ failed",
  ]);
});

it("draws the runs of agents that calls have started below, with the names that lead to them", () => {
  const parent = conversationOf({ type: "user", content: "go", timestamp: 0 });
  const agent = conversationOf(
    record(0, "parent", { conversation: "c", call: "a", root: "c", agents: ["reviewer", "tester"] }),
    { type: "user", content: "test", timestamp: 0 },
    record(0, "request", { provider: "p", model: "m", driver: "d" }),
    { type: "respond", content: "Done.", timestamp: 2 },
    record(4, "usage", usage),
    record(4, "run", { status: "completed" }),
  );
  const lines = textTrace(parent, 80, [agent]);
  expect(lines[2]).toMatch(/^Agent reviewer › tester · 1 step · 0 calls · 4,000 tokens in/);
  expect(lines).toContain("Run 1, 4.00 s");
});
