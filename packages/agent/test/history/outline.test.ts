import { createAssembler, type LogEvent, type MessageForm, missingResults, toMessages } from "@cogency/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outlineOf, unreadFrom } from "../../src/history/outline.ts";
import { anyLog, call, record, respond, results, user } from "./any-log.ts";
import { problemOf } from "./support.ts";

const forms: MessageForm[] = ["json", "xml", "native", "react"];
describe("the rounds of a log", () => {
  it("may each be the first after a summary: every request stays valid, and no message is cut", () => {
    fc.assert(
      fc.property(anyLog, fc.constantFrom(...forms), (log, form) => {
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
      fc.property(anyLog, (log) => {
        const summary = outlineOf(log).summaries.at(-1);
        const [first] = toMessages(log, { form: "native" });
        expect(first).toEqual({ role: "user", content: summary?.text ? summary.text : "so" });
        expect(outlineOf(log).rounds[0]?.start).toBe(0);
      }),
      { numRuns: 1500 },
    );
  });

  it("keep what the loop says with the step that it is about", () => {
    const step: LogEvent[] = [call("call_1"), results(1), user("notice"), respond];
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
    ["a prompt after an answer", [user(), respond, user()], 2],
    ["two prompts after an answer", [user(), respond, user(), user()], 2],
    ["results", [user(), call("call_1"), results(1)], 1],
    ["results, and a prompt into the middle of the run", [user(), call("call_1"), results(1), user()], 1],
    ["an answer that was corrected", [user(), respond, user("nudge")], 1],
    ["a refused block", [user(), respond, record("rejected", { message: "no" })], 1],
    ["its first prompt", [user()], 0],
    ["nothing", [], 0],
  ])("has %s as what the model has not read", (_, log, start) => {
    expect(unreadFrom(outlineOf(log))).toBe(start);
  });
});
