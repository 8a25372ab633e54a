import type { LogEvent } from "@cogency/protocol";
import type { StopSignal } from "@cogency/tools/host";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endingOf, endingOfStop, type RunEnding, runRecords } from "./ending.ts";

const timestamp = 1;
const answer: LogEvent = { type: "respond", content: "Hello.", timestamp };
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0, duration: 1 };
const stop: StopSignal = { reason: "steps_limit", message: "The steps are used up.", context: { maxSteps: 3 } };

describe("the ending of a log", () => {
  it("is the one in the record of the run", () => {
    const endings = fc.record(
      {
        status: fc.constantFrom("completed", "stopped"),
        stop: fc.record({
          reason: fc.constantFrom("completed", "steps_limit", "retry_limit", "finish_reason"),
          message: fc.string(),
          context: fc.dictionary(
            fc.string().filter((name) => name !== "__proto__"),
            fc.oneof(fc.string(), fc.integer(), fc.boolean()),
          ),
        }),
      },
      { requiredKeys: ["status", "stop"] },
    ) as fc.Arbitrary<RunEnding>;
    fc.assert(
      fc.property(endings, (ending) => {
        // As a store returns it.
        const record: LogEvent = JSON.parse(JSON.stringify(runRecords(ending, timestamp)[0]));
        expect(endingOf([answer, record])).toEqual(JSON.parse(JSON.stringify(ending)));
      }),
    );
  });

  it("leaves out the notice, which only the consumer of that run receives", () => {
    const notice = { type: "error", code: "repeated_batch", content: "Again.", timestamp } as const;
    expect(endingOf([...runRecords({ status: "stopped", stop, notice }, timestamp)])).toEqual({
      status: "stopped",
      stop,
    });
  });

  it("is unknown in a log without the record: an older version wrote it, or the run broke off", () => {
    expect(endingOf([])).toBeUndefined();
    expect(endingOf([answer])).toBeUndefined();
    expect(endingOf([answer, { type: "record", kind: "usage", data: usage, timestamp }])).toBeUndefined();
  });

  it.each<LogEvent>([
    { type: "user", content: "And then?", timestamp },
    { type: "think", content: "Hm.", timestamp },
    answer,
    { type: "cancelled", timestamp },
  ])("is unknown if the conversation went on: $type", (event) => {
    expect(endingOf([answer, ...runRecords({ status: "completed" }, timestamp), event])).toBeUndefined();
  });

  it("stands if only other records follow", () => {
    const record: LogEvent = { type: "record", kind: "content", data: { holds: "private", source: "x" }, timestamp };
    expect(endingOf([answer, ...runRecords({ status: "completed" }, timestamp), record])).toEqual({
      status: "completed",
    });
  });

  it.each([[null], [undefined], [7], ["x"], [[]], [{}], [{ status: "failed" }], [{ status: 7 }]])(
    "is unknown if the record says nothing of it: %j",
    (data) => {
      expect(
        endingOf([answer, { type: "record", kind: "run", data, timestamp } as unknown as LogEvent]),
      ).toBeUndefined();
    },
  );
});

describe("the ending of a log from elsewhere", () => {
  it.each([[7], ["x"], [[]], [{}], [{ reason: 7, message: "m" }], [{ reason: "r" }]])(
    "has an unknown stop in place of one that hosts could not read: %j",
    (stop) => {
      const record = { type: "record", kind: "run", data: { status: "stopped", stop }, timestamp };
      expect(endingOf([answer, record as unknown as LogEvent])).toEqual({
        status: "stopped",
        stop: { reason: "unknown", message: "The run was stopped.", context: {} },
      });
    },
  );
});

describe("the ending of a run that a tool or a hook stopped", () => {
  it("is `completed` if the tool says that the work is done", () => {
    const done: StopSignal = { reason: "completed", message: "Done.", context: {} };
    expect(endingOfStop(done)).toEqual({ status: "completed", stop: done });
  });

  it("is `stopped` for a limit", () => {
    expect(endingOfStop(stop)).toEqual({ status: "stopped", stop });
  });
});
