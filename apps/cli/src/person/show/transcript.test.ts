import type { LogEvent } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { transcript } from "./transcript.ts";

const timestamp = 1;

/** The transcript of these events, without colors. */
function shown(...events: LogEvent[]): string {
  const stored = events.map((event, index) => ({ ...event, seq: index + 1 }));
  return transcript(stored, { thinking: false, approvals: new Map(), stream: process.stdout }).replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colors are control characters
    /\u001b\[\d+m/g,
    "",
  );
}

const answer: LogEvent[] = [
  { type: "user", content: "go", timestamp },
  { type: "respond", content: "Half an", timestamp },
];

describe("the transcript of a run's end", () => {
  it("says why the run stopped", () => {
    const stop = { reason: "steps_limit", message: "The run used up its steps (2/2).\nAnd more.", context: {} };
    const end: LogEvent = { type: "record", kind: "run", data: { status: "stopped", stop }, timestamp };
    expect(shown(...answer, end)).toBe("> go\n\nHalf an\n\n(stopped: The run used up its steps (2/2). And more.)\n");
  });

  it("shows nothing of a run that has completed", () => {
    const end: LogEvent = { type: "record", kind: "run", data: { status: "completed" }, timestamp };
    expect(shown(...answer, end)).toBe(shown(...answer));
  });

  it.each([[null], [undefined], [7], ["x"], [{}], [{ stop: null }], [{ stop: 7 }], [{ stop: { message: 7 } }]])(
    "shows nothing of a record that cannot be read: %j",
    (data) => {
      const end = { type: "record", kind: "run", data, timestamp } as unknown as LogEvent;
      expect(shown(...answer, end)).toBe(shown(...answer));
    },
  );
});

describe("the transcript of a call that started an agent", () => {
  it.each([
    ["Seven.", "✓ agent reader: Seven.\n"],
    ["Seven.\nAnd why.", "✓ agent reader: Seven. And why.\n    Seven.\n    And why.\n"],
  ])("has an answer that fits on the line once: %j", (text, lines) => {
    const content = { agent: "reader", conversation: "c", status: "completed", text };
    const results = JSON.stringify([{ index: 0, tool: "agent", status: "success", content }]);
    expect(shown({ type: "result", content: results, timestamp } as LogEvent)).toBe(lines);
  });
});
