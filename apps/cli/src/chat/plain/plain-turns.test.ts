import type { RunEvent } from "@cogency/protocol";
import { expect, it } from "vitest";
import { fakeStream } from "../../../test/support/fake-stream.ts";
import { PlainOutput } from "./plain-output.ts";
import { PlainTurns } from "./plain-turns.ts";

const run = { id: "r", conversation: "c", step: 1, order: 0 };
const event = (type: string, fields: object = {}): RunEvent => ({ type, timestamp: 0, run, ...fields }) as RunEvent;
const inside = (id: string, inner: RunEvent) => event("subagent", { id, event: inner });

it("says what agents do with the names that lead to them, and nothing of what they write", () => {
  const stream = fakeStream();
  const turns = new PlainTurns(new PlainOutput(stream));
  const give = (id: string, agent: string) => ({ id, name: "agent", args: { agent, prompt: "Look." } });
  const read = { id: "1", name: "read", args: { file: "a.ts" } };
  const ended = {
    started: true,
    outcome: "success",
    duration: 1,
    result: { tool: "read", status: "success", content: "x" },
  };
  const result = {
    tool: "agent",
    status: "success",
    content: { agent: "reviewer", conversation: "k", status: "completed", text: "Good." },
  };
  for (const one of [
    event("tool_started", give("1", "reviewer")),
    inside("1", event("respond", { content: "For the one who asked." })),
    inside("1", event("tool_started", give("1", "tester"))),
    inside("1", inside("1", event("tool_started", read))),
    inside("1", inside("1", event("tool_ended", { ...read, ...ended }))),
    event("tool_ended", { ...give("1", "reviewer"), ...ended, result }),
  ])
    turns.event(one);
  const lines = String(stream.read()).trimEnd().split("\n");
  expect(lines).toEqual([
    "call: agent reviewer: Look.",
    "call: reviewer › agent tester: Look.",
    "call: reviewer › tester › read a.ts",
    expect.stringMatching(/^result: reviewer › tester › read a\.ts: done/),
    "result: agent reviewer: Look.: done, Good., 1.0 s",
  ]);
});
