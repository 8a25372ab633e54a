import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callBlock, wireText } from "../../test/arbitraries.ts";
import { textOf } from "../../test/text-of.ts";
import { callOf } from "../call-content.ts";
import type { AgentEvent, LogEvent } from "../events.ts";
import { isPersisted } from "../events.ts";
import type { ModelMessage, UserMessage } from "../message.ts";
import { parseSync } from "../parse/parse.ts";
import { parseResults } from "../results.ts";
import type { ToolCall, ToolResult } from "../tool.ts";
import { formatCalls } from "../write/blocks.ts";
import { createAssembler, missingResults, toMessages } from "./assemble.ts";

const runs = randomRuns(500);
const fewerRuns = randomRuns(500);
const forms = ["json", "xml", "native", "react"] as const;
const user: LogEvent & { type: "user" } = { type: "user", content: "go", timestamp: 0 };
const persisted = (events: AgentEvent[]) => events.filter((event) => isPersisted(event.type)) as LogEvent[];

function resultEvent(results: ToolResult[]): LogEvent & { type: "result" } {
  const payload = { tools_executed: results.length, success_count: 0, failure_count: 0 };
  return { type: "result", content: JSON.stringify(results), payload, timestamp: 0 };
}

/** Markers, labels and pieces of both, in any letter case. */
const spoofed = fc.oneof(
  fc.constantFrom("<", "</", ">", "\\u003c", "\n", "\r\n", "\u2028", " ", "\t", "words", "\ud800", "`", '"'),
  fc
    .tuple(fc.constantFrom("think", "execute", "results", "end"), fc.constantFrom("", "/", "//", " "), fc.nat(15))
    .map(([marker, slash, upper]) => `<${slash}${cased(marker, upper)}>`),
  fc
    .tuple(fc.constantFrom("observation", "thought", "action", "action input"), fc.nat(15))
    .map(([label, upper]) => `${cased(label, upper)}: `),
);

const cased = (text: string, upper: number) =>
  [...text].map((letter, i) => ((upper >> (i % 4)) & 1 ? letter.toUpperCase() : letter)).join("");

const hostileText = fc.array(spoofed, { maxLength: 12 }).map((pieces) => pieces.join(""));

const words = fc.record({
  type: fc.constant("user" as const),
  content: hostileText.filter((text) => text !== ""),
  origin: fc.constantFrom(undefined, "nudge", "notice", "recovery", "untrusted"),
  timestamp: fc.constant(0),
}) as fc.Arbitrary<LogEvent & { type: "user" }>;

const name = fc.constantFrom("read", "a b", "", "x.y", "execute");
const call: fc.Arbitrary<ToolCall> = fc.record({ name, args: fc.dictionary(name, fc.string({ maxLength: 3 })) });

/** The events of one generation, in either dialect. */
const generation = fc.oneof(
  fc.oneof(wireText, callBlock).map((text) => parseSync(text)),
  fc
    .tuple(wireText, fc.array(call, { maxLength: 3 }))
    .map(([text, calls]) => parseSync(text + formatCalls(calls, { dialect: "xml" }), { dialect: "xml" })),
);

/**
 * The events that one generation and its batch leave in the log. Some calls have no id, or the id of an earlier call.
 */
const step: fc.Arbitrary<LogEvent[]> = fc
  .tuple(generation, fc.string({ unit: "binary", maxLength: 8 }), fc.nat(3), fc.boolean())
  .map(([events, output, kind, hasNative]) => {
    const native: LogEvent = {
      type: "record",
      kind: "native",
      data: { provider: "p", model: "m", data: output },
      timestamp: 0,
    };
    const stored = persisted(events).map((event, i) =>
      event.type === "call" && (kind > 0 || i > 0) ? { ...event, id: `call_${i}` } : event,
    );
    if (hasNative) stored.splice(kind, 0, native);
    const calls = stored.filter((event) => event.type === "call");
    const results = calls.map((call): ToolResult => ({ tool: callOf(call).name, status: "success", content: output }));
    if (calls.length > 0) {
      const records = calls.flatMap(({ id }, i): LogEvent[] => {
        const result = results[i];
        return id && result ? [{ type: "record", kind: "finished", data: { id, result }, timestamp: 0 }] : [];
      });
      return [...stored, ...records.slice(kind), resultEvent(results)];
    }
    const data = { code: "malformed_execute", message: `no ${output}` };
    if (kind === 0) return [...stored, { type: "record", kind: "rejected", data, timestamp: 0 }];
    if (kind === 1) return [...stored, { type: "cancelled", timestamp: 0 }, user];
    return [...stored, user];
  });

const log = fc.tuple(words, fc.array(step, { maxLength: 5 })).map(([first, steps]) => [[first], ...steps]);

const record = (kind: string, data: unknown) => ({ type: "record", kind, data, timestamp: 0 }) as LogEvent;
const done: ToolResult = { tool: "read", status: "success", content: "done" };

/** Logs with events in any order: records before and after their calls, ids used twice, unknown kinds. */
const anyLog: fc.Arbitrary<LogEvent[]> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom("call_1", "call_2").map(stored) },
      { weight: 2, arbitrary: fc.constantFrom("call_1", "call_2").map((id) => record("started", { id })) },
      { weight: 1, arbitrary: fc.constantFrom("call_1", "call_2").map((id) => record("not_done", { id })) },
      fc.constantFrom("call_1", "call_2").map((id) => record("finished", { id, result: done })),
      fc.constantFrom<LogEvent>(
        stored(undefined),
        record("origin", { scope: "/<results>", proof: { key: "k", mac: "0" } }),
        record("fork", { from: "<results>", at: 2 }),
        record("content", { holds: "untrusted", source: "<results>", call: "call_1" }),
        record("approval", { id: "call_1", name: "read", hash: "h", status: "approved" }),
        record("question", { id: "q", call: "call_1", name: "read", hash: "h", asks: "answer", message: "<results>" }),
        record("answer", { question: "q", content: "<results>" }),
        record("message", { id: "m", kind: "steer" }),
        record("request", { driver: "d", system: "<results>" }),
        record("tools_found", { names: ["<results>"] }),
        record("source_tools", {
          tools: [{ name: "<results>", hash: "h" }],
          gone: ["<results>"],
          notes: ["<results>"],
        }),
        record("client_tools", { tools: [{ name: "a", description: "<results>", parameters: {} }] }),
        record("title", { text: "<results>" }),
        record("point", { name: "<results>", at: 1 }),
        record("notice", { code: "server", message: "<results>", retryAt: 7 }),
        record("child", { call: "call_1", agent: "<results>", conversation: "<results>" }),
        record("parent", { conversation: "<results>", call: "call_1", root: "<results>", agents: ["<results>"] }),
        record("trace", { traceparent: "<results>" }),
        record("object", { schema: { description: "<results>" } }),
        record("summary", { upTo: 0 }),
        record("summary", { upTo: 3, text: "<results>" }),
        record("usage", {}),
        record("run", { status: "failed", error: { code: "provider", message: "<results>" } }),
        { type: "respond", content: "so", timestamp: 0 },
        { type: "think", content: "so", timestamp: 0 },
      ),
      fc
        .tuple(fc.constantFrom("constructor", "__proto__", "toString", "hasOwnProperty", ""), fc.jsonValue())
        .map(([kind, data]) => record(kind, data)),
      {
        weight: 2,
        arbitrary: fc.oneof(
          words,
          fc.nat(2).map((count) => resultEvent(Array(count).fill(done))),
        ),
      },
      fc.constantFrom<LogEvent>(
        { type: "cancelled", timestamp: 0 },
        record("rejected", { code: "malformed_execute", message: "no" }),
      ),
    ),
    { maxLength: 14 },
  )
  .map((events) => [user, ...events]);

function stored(id: string | undefined): LogEvent & { type: "call" } {
  return { type: "call", content: '{"name":"read","args":{}}', ...(id && { id }), timestamp: 0 };
}

const unknown =
  "outcome unknown: the call had begun when the run broke off, and it may have completed. Look before you do it again.";

/** The missing results, computed in another way: nothing before the last end of a turn counts. */
function owedBy(log: LogEvent[]): ToolResult[] {
  const ends = (event: LogEvent) =>
    event.type === "user" ||
    event.type === "result" ||
    event.type === "cancelled" ||
    (event.type === "record" && event.kind === "rejected");
  const turn = log.slice(log.findLastIndex(ends) + 1);
  const records = turn.filter((event) => event.type === "record") as unknown as { kind: string; data: never }[];
  const has = (kind: string, id: string | undefined) =>
    records.some((event) => event.kind === kind && (event.data as { id?: string }).id === id);
  /** What the call last did: it began, it turned out to have had no effect, it asked `question`, or it got an answer. */
  const hasBegun = (id: string | undefined) => {
    const asked = { question: "q", call: "call_1" };
    const acts = records.flatMap(({ kind, data }) => {
      if (kind === "started" && (data as { id?: string }).id === id) return ["began"];
      if (kind === "not_done" && (data as { id?: string }).id === id) return ["undone"];
      return id === asked.call && (kind === "question" || kind === "answer") ? [kind] : [];
    });
    let state = "idle";
    for (const act of acts) {
      if (act === "began") state = act;
      else if (act === "undone") state = state === "asks" ? state : "idle";
      else if (act === "question" && state === "began") state = "asks";
      else if (act === "answer" && state === "asks") state = "began";
      // An answer that was given before holds for a call that asks no more.
    }
    return state === "began";
  };
  return turn.flatMap((event): ToolResult[] => {
    if (event.type !== "call") return [];
    if (has("finished", event.id)) return [done];
    const content = hasBegun(event.id) ? unknown : "interrupted: no result was recorded";
    return [{ tool: "read", status: "failure", content }];
  });
}

describe("missingResults", () => {
  it("gives a call that began another failure than one that never began, in any log", () => {
    fc.assert(
      fc.property(anyLog, (log) => {
        expect(missingResults(log)).toEqual(owedBy(log));
      }),
      randomRuns(1500),
    );
  });

  it("reports a call that began as never begun once its tool has found that it had no effect, until it begins again", () => {
    const started: LogEvent = { type: "record", kind: "started", data: { id: "c1" }, timestamp: 0 };
    const notDone: LogEvent = { type: "record", kind: "not_done", data: { id: "c1" }, timestamp: 0 };
    const told = (...events: LogEvent[]) => missingResults([user, stored("c1"), ...events])[0]?.content;
    expect(told(started, notDone)).toMatch(/^interrupted: /);
    expect(told(started, notDone, started)).toBe(unknown);
  });

  it.each<[string, unknown]>([
    ["no data", undefined],
    ["no result", { id: "c1" }],
    ["a result of nothing", { id: "c1", result: {} }],
    ["a result that is a text", { id: "c1", result: "done" }],
    ["a failure without a message", { id: "c1", result: { tool: "read", status: "failure", content: {} } }],
    ["a status of its own", { id: "c1", result: { tool: "read", status: "fine", content: 1 } }],
  ])("ignores a finished record with %s", (_, data) => {
    const finished = { type: "record", kind: "finished", data, timestamp: 0 } as LogEvent;
    const log: LogEvent[] = [user, stored("c1"), { type: "record", kind: "started", data: { id: "c1" }, timestamp: 0 }];
    expect(missingResults([...log, finished])).toEqual([{ tool: "read", status: "failure", content: unknown }]);
    expect(() => toMessages([...log, finished], { form: "json" })).not.toThrow();
  });
});

/** The demands of every provider on a request. */
function expectValid(messages: ModelMessage[], form: (typeof forms)[number]): void {
  expect(messages[0]?.role).toBe("user");
  expect(messages.at(-1)?.role).not.toBe("assistant");
  const ids = messages
    .flatMap((message) => (message.role === "assistant" ? (message.calls ?? []) : []))
    .map((c) => c.id);
  expect(new Set(ids).size).toBe(ids.length);
  messages.forEach((message, i) => {
    const before = messages[i - 1];
    const next = messages[i + 1];
    if (message.role === "user") expect(message.content).not.toBe("");
    if (message.role === "tool") expect(before).toHaveProperty("calls");
    if (message.role !== "assistant") return;
    expect(before?.role).not.toBe("assistant");
    if (message.content === "") expect(message).toHaveProperty("calls");
    if (message.calls) expect(next).toMatchObject({ role: "tool", results: message.calls.map(({ id }) => ({ id })) });
    if (form !== "json" && form !== "xml") return;
    const calls = parseSync(message.content, { dialect: form }).filter((event) => event.type === "call").length;
    if (calls > 0) expect(next?.role === "user" && parseResults(textOf(next))).toHaveLength(calls);
  });
}

describe.each(forms)("toMessages in the form %s", (form) => {
  it("answers every interrupted call as missingResults does, before any next event", () => {
    fc.assert(
      fc.property(anyLog, words, (log, next) => {
        const missing = missingResults(log);
        if (missing.length === 0) return;
        const answered = toMessages([...log, resultEvent(missing), next], { form });
        expect(toMessages([...log, next], { form })).toEqual(answered);
        expect(toMessages([...log, { type: "cancelled", timestamp: 0 }, next], { form })).toEqual(answered);
      }),
      runs,
    );
  });

  it("leaves out every kind of record but those of calls, rejected, native and summary", () => {
    // A summary counts events, so it is another one where some are left out.
    const logs = anyLog.map((log) => log.filter((event) => event.type !== "record" || event.kind !== "summary"));
    const heard = ["started", "not_done", "finished", "question", "answer", "rejected"];
    const silent = (event: LogEvent) => event.type === "record" && !heard.includes(event.kind);
    fc.assert(
      fc.property(logs, (log) => {
        expect(toMessages(log, { form })).toEqual(
          toMessages(
            log.filter((event) => !silent(event)),
            { form },
          ),
        );
      }),
      runs,
    );
  });

  it("matches results to calls by position, whatever ids they carry", () => {
    const calls = [stored("call_1"), stored("call_2")];
    const results = resultEvent([done, { ...done, content: "second" }]);
    const expected = toMessages([user, ...calls, results], { form });
    for (const ids of [["call_2", "call_1"], [], null]) {
      expect(toMessages([user, ...calls, { ...results, ids } as LogEvent], { form })).toEqual(expected);
    }
  });

  it("always valid: a log cut anywhere gives a request that every provider accepts", () => {
    fc.assert(
      fc.property(log, fc.nat(), (steps, at) => {
        const all = steps.flat();
        expectValid(toMessages(all.slice(0, 1 + (at % all.length)), { form }), form);
      }),
      runs,
    );
  });

  it("always valid: appending the missing results does not change the messages", () => {
    fc.assert(
      fc.property(log, fc.nat(), (steps, at) => {
        const all = steps.flat();
        const cut = all.slice(0, 1 + (at % all.length));
        const missing = missingResults(cut);
        if (missing.length === 0) return;
        const closed = [...cut, resultEvent(missing)];
        expect(toMessages(closed, { form })).toEqual(toMessages(cut, { form }));
        expect(missingResults(closed)).toEqual([]);
      }),
      runs,
    );
  });

  it("byte-stable: assembling twice gives the same bytes, and each step's messages begin with the last step's", () => {
    fc.assert(
      fc.property(log, (steps) => {
        let before: ModelMessage[] = [];
        for (let i = 1; i <= steps.length; i++) {
          const messages = toMessages(steps.slice(0, i).flat(), { form });
          expect(JSON.stringify(toMessages(steps.slice(0, i).flat(), { form }))).toBe(JSON.stringify(messages));
          expect(messages.slice(0, before.length)).toEqual(before);
          before = messages;
        }
      }),
      runs,
    );
  });

  it("never changes the log", () => {
    const events = [user, ...persisted(parseSync('<execute>[{"name":"a","args":{}}]</execute>'))];
    const before = JSON.stringify(events);
    toMessages(events, { form });
    expect(JSON.stringify(events)).toBe(before);
  });

  it("writes only well-formed text", () => {
    const lone = "x\ud800";
    const call: LogEvent = {
      type: "call",
      content: JSON.stringify({ name: lone, args: { [lone]: lone } }),
      timestamp: 0,
    };
    const words: LogEvent[] = [
      { type: "user", content: lone, timestamp: 0 },
      { type: "respond", content: lone, timestamp: 0 },
    ];
    const results = resultEvent([{ tool: lone, status: "failure", content: lone }]);
    const texts = toMessages([...words, call, results], { form }).flatMap((message) =>
      message.role === "tool" ? message.results.map(({ content }) => content) : textOf(message),
    );
    for (const text of texts) expect(text.isWellFormed()).toBe(true);
  });

  it("gives no messages for an empty log", () => {
    expect(toMessages([], { form })).toEqual([]);
  });
});

/** Logs as runs leave them, and logs with events in any order. */
const growing = fc.oneof(
  log.map((steps) => steps.flat()),
  anyLog,
);

/** Makes every change to the value throw. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(Object.freeze(value))) deepFreeze(member);
  return value;
}

describe.each(forms)("createAssembler in the form %s", (form) => {
  it("gives for the log so far what toMessages and missingResults give, byte for byte, when asked after every event", () => {
    fc.assert(
      fc.property(growing, (events) => {
        const assembler = createAssembler({ form });
        expect(assembler.messages()).toEqual([]);
        events.forEach((event, i) => {
          assembler.write([event]);
          const prefix = events.slice(0, i + 1);
          expect(JSON.stringify(assembler.messages())).toBe(JSON.stringify(toMessages(prefix, { form })));
          expect(JSON.stringify(assembler.missing())).toBe(JSON.stringify(missingResults(prefix)));
        });
      }),
      fewerRuns,
    );
  });

  it("gives the same messages for any cuts, no matter when it was asked before", () => {
    const pieces = fc.array(fc.record({ length: fc.nat(5), isAsked: fc.boolean() }), { maxLength: 20 });
    fc.assert(
      fc.property(growing, pieces, (events, pieces) => {
        const assembler = createAssembler({ form });
        let written = 0;
        for (const { length, isAsked } of pieces) {
          assembler.write(events.slice(written, written + length));
          written += length;
          if (isAsked) assembler.messages();
        }
        assembler.write(events.slice(written));
        expect(assembler.messages()).toStrictEqual(toMessages(events, { form }));
      }),
      fewerRuns,
    );
  });

  it("never changes a message that it gave, or the log", () => {
    fc.assert(
      fc.property(growing, (events) => {
        const assembler = createAssembler({ form });
        for (const event of deepFreeze(events)) {
          assembler.write([event]);
          deepFreeze(assembler.messages());
          deepFreeze(assembler.missing());
        }
      }),
      fewerRuns,
    );
  });

  it("begins each step's messages with the very objects of the last step's", () => {
    fc.assert(
      fc.property(log, (steps) => {
        const assembler = createAssembler({ form });
        let before: ModelMessage[] = [];
        for (const step of steps) {
          for (const event of step) {
            assembler.write([event]);
            const messages = assembler.messages();
            expect(before.every((message, i) => message === messages[i])).toBe(true);
          }
          before = assembler.messages();
        }
      }),
      fewerRuns,
    );
  });

  it.each<[string, LogEvent[]]>([
    ["an open turn", [user, { type: "respond", content: "so", timestamp: 0 }]],
    ["no open turn", [user]],
  ])("gives each caller a list of its own, with %s", (_, events) => {
    const assembler = createAssembler({ form });
    assembler.write(events);
    const first = assembler.messages();
    const copy = structuredClone(first);
    first.splice(0);
    expect(assembler.messages()).toEqual(copy);
  });

  it("reads no event of a finished turn again", () => {
    let reads = 0;
    const counted = (event: LogEvent & { content: string }): LogEvent =>
      Object.defineProperty({ ...event }, "content", {
        get() {
          reads++;
          return event.content;
        },
      });
    const assembler = createAssembler({ form });
    assembler.write([user, stored("call_1"), resultEvent([done])].map(counted));
    const before = reads;
    assembler.messages();
    assembler.write([{ type: "respond", content: "so", timestamp: 0 }, user]);
    expect(assembler.messages()).toHaveLength(5);
    expect(reads).toBe(before);
  });
});

describe("the text of a user event", () => {
  const contentOf = (event: LogEvent, form: (typeof forms)[number]) =>
    textOf(toMessages([event], { form })[0] as UserMessage);

  it.each(["json", "xml"] as const)(
    "holds no marker in the form %s, for any origin, and is otherwise unchanged",
    (form) => {
      fc.assert(
        fc.property(words, (event) => {
          const content = contentOf(event, form);
          expect(content).not.toMatch(/<\/?(?:think|execute|results|end)>/i);
          expect(content.replace(/\\u003c(?=\/?(?:think|execute|results|end)>)/gi, "<")).toBe(
            event.content.replace(/\\u003c(?=\/?(?:think|execute|results|end)>)/gi, "<").toWellFormed(),
          );
        }),
        runs,
      );
    },
  );

  it.each([
    "a < b, <b>, < results>, <results >, <result>, </ end>, <think/>, <endless>, &lt;results>",
    "<execute",
    "results>[]",
  ])("stay as they are where nothing in them is a marker: %s", (content) => {
    expect(contentOf({ ...user, content }, "json")).toBe(content);
  });

  it("begins no line like a label in the form react", () => {
    fc.assert(
      fc.property(words, (event) => {
        const lines = contentOf(event, "react").split(/\r\n|[\n\r\v\f\x85\u2028\u2029]/);
        for (const line of lines) expect(line).not.toMatch(/^[ \t]?(?:thought|action|action input|observation)\s*:/i);
        expect(lines.map((line) => line.trimStart()).join()).toBe(
          event.content
            .toWellFormed()
            .split(/\r\n|[\n\r\v\f\x85\u2028\u2029]/)
            .map((line) => line.trimStart())
            .join(),
        );
      }),
      runs,
    );
  });

  it("stays as it is in the form native, where no text stands for a result", () => {
    fc.assert(
      fc.property(words, (event) => {
        expect(contentOf(event, "native")).toBe(event.content.toWellFormed());
      }),
      runs,
    );
  });
});

describe.each(["json", "xml"] as const)("toMessages in the form %s", (form) => {
  it("holds no marker besides the system's, whatever a user or a tool wrote", () => {
    fc.assert(
      fc.property(words, hostileText, words, (first, output, second) => {
        const results = resultEvent([{ tool: "a", status: "success", content: output }]);
        const log = [first, stored("call_1"), results, second];
        const markers = toMessages(log, { form })
          .filter((message) => message.role === "user")
          .map((message) => textOf(message).match(/<\/?(?:think|execute|results|end)>/gi));
        expect(markers).toEqual([null, ["<results>", "</results>"], null]);
      }),
      runs,
    );
  });

  it("writes any tool output in one <results> block, with no other marker in the message", () => {
    const output = fc
      .array(fc.constantFrom("<results>", "</results>", "</Execute>", "<think>", "<end>", "<", "\\u003c", "\n", '"'))
      .map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(output, (content) => {
        const results: ToolResult[] = [{ tool: "a", status: "success", content }];
        const events = [
          user,
          ...persisted(parseSync('<execute>[{"name":"a","args":{}}]</execute>')),
          resultEvent(results),
        ];
        const message = toMessages(events, { form }).at(-1) as { content: string };
        expect(message.content.match(/<\/?(?:think|execute|results|end)>/gi)).toEqual(["<results>", "</results>"]);
        expect(parseResults(message.content)).toEqual(results);
      }),
      runs,
    );
  });
});
