import { countWork } from "@tooling/vitest/count-work";
import { describe, expect, it } from "vitest";
import type { LogEvent } from "./events.ts";
import type { MessageForm } from "./message.ts";
import { createAssembler, missingResults, toMessages } from "./messages/assemble.ts";
import { partsOf } from "./parts/index.ts";

const payload = { tools_executed: 1, success_count: 1, failure_count: 0 };
const result: LogEvent = {
  type: "result",
  content: '[{"tool":"w","status":"success","content":"x"}]',
  payload,
  timestamp: 0,
};
const user: LogEvent = { type: "user", content: "go on", timestamp: 0 };
const respond = (content: string): LogEvent => ({ type: "respond", content, timestamp: 0 });
const call = (id: string): LogEvent => ({ type: "call", id, content: '{"name":"w","args":{"a":"b"}}', timestamp: 0 });
const record = (kind: string, data: object) => ({ type: "record", kind, data, timestamp: 0 }) as LogEvent;
const times = (count: number, events: (index: number) => LogEvent[]) =>
  Array.from({ length: count }, (_, index) => events(index)).flat();

/** Logs that grow, by what they are made of. (The parts of one batch are bounded by the calls that it may hold.) */
const logs: [name: string, log: (count: number) => LogEvent[]][] = [
  ["turns", (count) => [user, ...times(count, () => [respond("a <b> `c`"), user])]],
  ["steps without a word", (count) => [user, ...times(count, (index) => [call(`c${index}`), result])]],
  [
    "steps with records",
    (count) => [
      user,
      ...times(count, (index) => [
        call(`c${index}`),
        record("started", { id: `c${index}` }),
        record("finished", { id: `c${index}`, result: { tool: "w", status: "success", content: "x" } }),
        result,
      ]),
    ],
  ],
  [
    "units of one turn",
    (count) => [user, ...times(count, () => [respond("text"), { type: "think", content: "t", timestamp: 0 }])],
  ],
  ["one batch", (count) => [user, ...times(count, (index) => [call(`c${index}`)]), result]],
  ["results without calls", (count) => [user, ...times(count, () => [result])]],
];

const forms: MessageForm[] = ["json", "xml", "native", "react"];

describe("ten times the log is at most twelve times the work", () => {
  it.each(
    logs
      .flatMap(([name, log]) => [
        ...forms.map(
          (form) => [name, `toMessages as ${form}`, log, (events: LogEvent[]) => toMessages(events, { form })] as const,
        ),
        [name, "missingResults", log, missingResults] as const,
        [name, "createAssembler, event by event", log, written] as const,
        [name, "partsOf", log, partsOf] as const,
      ])
      .filter(([name, what]) => !(name === "one batch" && what === "partsOf")),
  )("for %s: %s", (_name, _what, log, run) => {
    const [one, ten] = [300, 3000].map((count) => {
      const events = log(count);
      return countWork(() => void run(events));
    });
    expect((ten as number) / (one as number)).toBeLessThan(12);
  });
});

function written(events: LogEvent[]): void {
  const assembler = createAssembler({ form: "json" });
  for (const event of events) assembler.write([event]);
}
