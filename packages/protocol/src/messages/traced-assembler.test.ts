import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogEvent } from "../events.ts";
import { toMessages } from "./assemble.ts";
import { tracedMessages } from "./traced-assembler.ts";

const runs = randomRuns(300);
const forms = ["json", "xml", "native", "react"] as const;
const event = (fields: object) => ({ timestamp: 0, ...fields }) as LogEvent;
const record = (kind: string, data: object) => event({ type: "record", kind, data });
const png = { kind: "image", mediaType: "image/png", data: "aGk=" };

/** What a call may leave in the log before the results of its batch. */
const traces = fc.constantFrom<((id: string) => LogEvent[])[]>(
  () => [],
  (id) => [record("started", { id })],
  (id) => [record("started", { id }), record("not_done", { id })],
  (id) => [
    record("started", { id }),
    record("finished", { id, result: { tool: "t", status: "success", content: id } }),
  ],
  (id) => [
    record("started", { id }),
    record("finished", { id, result: { tool: "t", status: "success", content: id, attachments: [png] } }),
  ],
);

const word = fc.constantFrom("one", "two words", "three", "<end>", "Action: x");
const unit = fc.tuple(fc.constantFrom("think", "respond"), word).map(([type, content]) => event({ type, content }));
const origin = fc.constantFrom(undefined, "nudge", "notice");
const prompt = fc
  .tuple(word, origin)
  .map(([content, said]) => event({ type: "user", content, ...(said && { origin: said }) }));

const step = fc
  .tuple(
    fc.array(unit, { maxLength: 3 }),
    fc.array(traces, { maxLength: 3 }),
    fc.constantFrom("result", "short", "none", "cancelled", "rejected"),
    fc.boolean(),
    prompt,
  )
  .map(([units, calls, ending, hasNative, next]) => ({ units, calls, ending, hasNative, next }));

/** Logs as runs leave them: every id is used once, and words follow what was left open. */
const logs = fc.tuple(prompt, fc.array(step, { maxLength: 4 })).map(([first, steps]) => {
  let count = 0;
  const written = steps.flatMap(({ units, calls, ending, hasNative, next }): LogEvent[] => {
    const ids = ending === "rejected" ? [] : calls.map(() => `call_${count++}`);
    const results = ids
      .slice(ending === "short" ? 1 : 0)
      .map((id) => ({ tool: "t", status: "success", content: `of ${id}` }));
    const answer = event({ type: "result", content: JSON.stringify(results), payload: {} });
    const ends: Record<string, LogEvent[]> = {
      result: ids.length > 0 ? [answer] : [next],
      short: ids.length > 0 ? [answer] : [next],
      none: [next],
      cancelled: [event({ type: "cancelled" }), next],
      rejected: [record("rejected", { code: "malformed_execute", message: "no" })],
    };
    return [
      ...units,
      ...(hasNative ? [record("native", { provider: "p", model: "m", data: `native ${count}` })] : []),
      ...ids.map((id) => event({ type: "call", content: `{"name":"t","args":{"a":"${id}"}}`, id })),
      ...ids.flatMap((id, i) => (calls[i] as (id: string) => LogEvent[])(id)),
      ...(ends[ending] as LogEvent[]),
    ];
  });
  return [first, ...written];
});

const asTexts = (log: readonly LogEvent[], form: (typeof forms)[number]) =>
  toMessages(log, { form }).map((message) => JSON.stringify(message));

describe.each(forms)("the trace of the form %s", (form) => {
  it("leaves the messages as they are", () => {
    fc.assert(
      fc.property(logs, (log) => {
        expect(tracedMessages(log, { form }).map(({ message }) => message)).toEqual(toMessages(log, { form }));
      }),
      runs,
    );
  });

  it("names an event where its words stand, and nowhere else", () => {
    fc.assert(
      fc.property(logs, (log) => {
        const traced = tracedMessages(log, { form });
        const before = asTexts(log, form);
        for (const [at, one] of log.entries()) {
          const other = reworded(one);
          if (!other) continue;
          const after = asTexts(log.with(at, other), form);
          const changed = before.flatMap((text, i) => (text === after[i] ? [] : [i]));
          const named = traced.flatMap(({ events }, i) => (events.includes(at) ? [i] : []));
          expect({ at, named }).toEqual({ at, named: changed });
        }
      }),
      runs,
    );
  });

  it("names every event without which a message would be another one, and none of a later message", () => {
    fc.assert(
      fc.property(logs, (log) => {
        const traced = tracedMessages(log, { form });
        const before = asTexts(log, form);
        for (const at of log.keys()) {
          const first = traced.findIndex(({ events }) => events.includes(at));
          const after = asTexts(log.toSpliced(at, 1), form);
          // A stored result that the batch lacks is none of its words.
          if (first === -1 && ends(log[at] as LogEvent)) continue;
          if (first === -1) expect({ at, after }).toEqual({ at, after: before });
          // Without what ends a step, the next one becomes part of it: the step before may grow.
          const step = traced.slice(0, first).findLastIndex(({ message }) => message.role === "assistant");
          const same = ends(log[at] as LogEvent) && step !== -1 ? step : Math.max(0, first);
          expect(after.slice(0, same)).toEqual(before.slice(0, same));
        }
      }),
      runs,
    );
  });
});

it("names the record of a summary, and no event that it stands for", () => {
  const log = [
    event({ type: "user", content: "a" }),
    event({ type: "respond", content: "b" }),
    event({ type: "user", content: "c" }),
    record("summary", { upTo: 2, text: "a, b" }),
  ];
  expect(tracedMessages(log, { form: "native" })).toMatchObject([
    { message: { content: "a, b" }, events: [3] },
    { message: { content: "c" }, events: [2] },
  ]);
});

it("names the call that the model wrote and the record of the one that ran", () => {
  const log = [
    event({ type: "user", content: "a" }),
    event({ type: "call", content: '{"name":"t","args":{}}', id: "c" }),
    record("started", { id: "c", call: '{"name":"t","args":{"by":"hook"}}' }),
  ];
  expect(tracedMessages(log, { form: "json" }).map(({ events }) => events)).toEqual([[0], [1, 2], [2]]);
});

it("names the rest of a step whose calls are left out", () => {
  const log = [
    event({ type: "user", content: "a" }),
    event({ type: "call", content: '{"name":"t","args":{}}', id: "c" }),
    event({ type: "call", content: '{"name":"t","args":{}}', id: "d" }),
    event({
      type: "result",
      content: '[{"tool":"t","status":"success","content":"1"},{"tool":"t","status":"success","content":"2"}]',
      payload: {},
    }),
  ];
  const traced = tracedMessages(log, { form: "native", without: ["c"] });
  expect(traced.map(({ events }) => events)).toEqual([[0], [2], [3]]);
});

function ends({ type, ...one }: LogEvent): boolean {
  return type === "user" || type === "result" || ("kind" in one && one.kind === "rejected");
}

/** The same event with other words; undefined for one that says none to the model. */
function reworded(one: LogEvent): LogEvent | undefined {
  switch (one.type) {
    case "user":
    case "think":
    case "respond":
      return { ...one, content: "quite other words" };
    case "call":
      return { ...one, content: '{"name":"t","args":{"a":"quite other words"}}' };
    case "result":
      return { ...one, content: one.content.replaceAll("of call", "other words of call") };
    case "record":
      if (one.kind === "native") return { ...one, data: { ...one.data, data: "other blocks" } };
      if (one.kind === "rejected") return { ...one, data: { ...one.data, message: "other words" } };
      return undefined;
    default:
      return undefined;
  }
}
