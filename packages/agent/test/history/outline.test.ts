import { createAssembler, type LogEvent, type MessageForm, missingResults, toMessages } from "@cogency/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outlineOf, unreadFrom } from "../../src/history/outline.ts";
import { problemOf } from "./support.ts";

const forms: MessageForm[] = ["json", "xml", "native", "react"];
const timestamp = 0;
const record = (kind: string, data: unknown) => ({ type: "record", kind, data, timestamp }) as LogEvent;
const user = (origin?: "nudge" | "notice" | "recovery" | "untrusted"): LogEvent => ({
  type: "user",
  content: "so",
  ...(origin && { origin }),
  timestamp,
});
const call = (id: string): LogEvent => ({ type: "call", content: '{"name":"read","args":{}}', id, timestamp });
const results = (count: number): LogEvent => ({
  type: "result",
  content: JSON.stringify(Array(count).fill({ tool: "read", status: "success", content: "done" })),
  payload: { tools_executed: count, success_count: count, failure_count: 0 },
  timestamp,
});
const native = record("native", { provider: "p", model: "m", data: [1] });

/** Any events in any order: also what no run writes. */
const event = fc.oneof(
  fc.constantFrom<LogEvent>(
    user(),
    user("nudge"),
    user("notice"),
    user("recovery"),
    user("untrusted"),
    call("call_1"),
    call("call_2"),
    native,
    { type: "respond", content: "so", timestamp },
    { type: "think", content: "so", timestamp },
    { type: "cancelled", timestamp },
    record("rejected", { code: "malformed_execute", message: "no" }),
    record("started", { id: "call_1" }),
    record("finished", { id: "call_1", result: { tool: "read", status: "success", content: 1 } }),
    record("usage", {}),
    record("unknown", null),
    record("summary", null),
  ),
  fc.nat(2).map(results),
  fc
    .record({ upTo: fc.integer({ min: -1, max: 12 }), text: fc.constantFrom("", "sum", 1) })
    .map((data) => record("summary", data)),
);
const logs = fc.array(event, { maxLength: 20 }).map((events) => [user(), ...events]);

describe("the rounds of a log", () => {
  it("may each be the first after a summary: every request stays valid, and no message is cut", () => {
    fc.assert(
      fc.property(logs, fc.constantFrom(...forms), (log, form) => {
        const events = log.filter((one) => one.type !== "record" || one.kind !== "summary");
        const whole = toMessages(events, { form });
        for (const { start } of outlineOf(events).rounds.slice(1)) {
          const summed = [...events, record("summary", { upTo: start, text: "SUM" })];
          const messages = toMessages(summed, { form });
          expect(messages[0]).toEqual({ role: "user", content: "SUM" });
          expect(messages.slice(1)).toEqual(whole.slice(whole.length - messages.length + 1));
          expect(problemOf({ system: "", messages })).toBeUndefined();
          expect(missingResults(summed)).toEqual(missingResults(events));
          const assembler = createAssembler({ form });
          assembler.write(events);
          expect(assembler.messages(start)).toEqual(messages.slice(1));
        }
      }),
      { numRuns: 1500 },
    );
  });

  it("begin where the log has any message, and know the summary that assembly takes", () => {
    fc.assert(
      fc.property(logs, (log) => {
        const summary = outlineOf(log).summaries.at(-1);
        const [first] = toMessages(log, { form: "native" });
        expect(first).toEqual({ role: "user", content: summary?.text ? summary.text : "so" });
        expect(outlineOf(log).rounds[0]?.start).toBe(0);
      }),
      { numRuns: 1500 },
    );
  });

  it("keep what the loop says with the step that it is about", () => {
    const step: LogEvent[] = [
      call("call_1"),
      results(1),
      user("notice"),
      { type: "respond", content: "so", timestamp },
    ];
    const log = [user(), ...step, user("nudge"), ...step, user()];
    expect(outlineOf(log).rounds).toEqual([
      { start: 0, kind: "user" },
      { start: 1, kind: "acted" },
      { start: 4, kind: "acted" },
      { start: 6, kind: "acted" },
      { start: 9, kind: "answer" },
      { start: 10, kind: "user" },
    ]);
  });

  it.each<[string, LogEvent[], number]>([
    ["a prompt after an answer", [user(), { type: "respond", content: "so", timestamp }, user()], 2],
    ["two prompts after an answer", [user(), { type: "respond", content: "so", timestamp }, user(), user()], 2],
    ["results", [user(), call("call_1"), results(1)], 1],
    ["results, and a prompt into the middle of the run", [user(), call("call_1"), results(1), user()], 1],
    ["an answer that was corrected", [user(), { type: "respond", content: "so", timestamp }, user("nudge")], 1],
    [
      "a refused block",
      [user(), { type: "respond", content: "so", timestamp }, record("rejected", { message: "no" })],
      1,
    ],
    ["its first prompt", [user()], 0],
    ["nothing", [], 0],
  ])("has %s as what the model has not read", (_, log, start) => {
    expect(unreadFrom(outlineOf(log))).toBe(start);
  });
});
