import type { LogEvent } from "@cogency/protocol";
import { expect, it } from "vitest";
import { pastEvents } from "./past.ts";

const at = { timestamp: 1 };

function call(id: string, command: string): LogEvent {
  return { type: "call", id, content: JSON.stringify({ name: "shell", args: { command } }), ...at };
}

it("the calls of a turn that broke off are told with what is known of each", () => {
  const log: LogEvent[] = [
    call("a", "npm test"),
    call("b", "npm publish"),
    call("c", "git push"),
    { type: "record", kind: "started", data: { id: "a" }, ...at },
    { type: "record", kind: "started", data: { id: "b" }, ...at },
    {
      type: "record",
      kind: "finished",
      data: { id: "a", result: { tool: "shell", status: "success", content: "ok" } },
      ...at,
    },
  ];
  expect(pastEvents(log, "c")).toMatchObject([
    { type: "tool_ended", args: { command: "npm test" }, outcome: "success", result: { content: "ok" } },
    {
      type: "tool_ended",
      args: { command: "npm publish" },
      outcome: "failure",
      result: { content: "broken off: it may have taken effect" },
    },
    {
      type: "tool_ended",
      args: { command: "git push" },
      outcome: "failure",
      result: { content: "broken off before it had begun" },
    },
  ]);
});
