import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogEvent } from "../events.ts";
import type { CallPart, Part, PartEvent, Parts } from "./part.ts";
import { partsOf, reduceParts } from "./reduce-parts.ts";

const at = { timestamp: 0 };
const user: PartEvent = { type: "user", content: "go", ...at };
const call = (id: string, args = {}): PartEvent => ({
  type: "call",
  id,
  content: JSON.stringify({ name: "read", args }),
  ...at,
});
const execute: PartEvent = { type: "execute", ...at };
const result = (contents: unknown[], ids?: string[]): PartEvent => ({
  type: "result",
  content: JSON.stringify(contents.map((content) => ({ tool: "read", status: "success", content }))),
  payload: { tools_executed: 1, success_count: 1, failure_count: 0 },
  ...(ids && { ids }),
  ...at,
});
const record = (kind: string, data: unknown, timestamp = 0) =>
  ({ type: "record", kind, data, timestamp }) as PartEvent & LogEvent;
const asked: PartEvent = {
  type: "approval_requested",
  question: "q",
  id: "c1",
  name: "read",
  args: {},
  hash: "h",
  concerns: [{ kind: "content", why: "it is untrusted" }],
  touches: ["file:/a"],
  ...at,
};
const settled: PartEvent = {
  type: "approval_settled",
  question: "q",
  id: "c1",
  decision: "denied",
  reason: "no",
  ...at,
};

const reduce = (events: readonly PartEvent[], parts: Parts = []) =>
  events.reduce((all, event) => reduceParts(all, event), parts);
const stored = (events: readonly PartEvent[]) => partsOf(events as LogEvent[]);
const calls = (parts: Parts) => parts.filter((part): part is CallPart => part.type === "call");

describe("reduceParts", () => {
  it("joins the pieces of a unit, and settles it when the next one begins", () => {
    const parts = reduce([
      { type: "think", content: "Let me", unit: 0, ...at },
      { type: "think", content: " see.", unit: 0, ...at },
      { type: "respond", content: "So", unit: 1, ...at },
    ]);
    expect(parts).toStrictEqual([
      { type: "thinking", content: "Let me see." },
      { type: "text", content: "So", open: true, unit: 1 },
    ]);
    expect(reduce([{ type: "respond", content: "And", unit: 2, ...at }], parts).slice(1)).toStrictEqual([
      { type: "text", content: "So" },
      { type: "text", content: "And", open: true, unit: 2 },
    ]);
  });

  it("goes on with a unit while other things happen", () => {
    const piece: PartEvent = { type: "respond", content: "a", unit: 0, ...at };
    expect(reduce([piece, { type: "notified", content: "x", ...at }, piece])).toMatchObject([{ content: "aa" }]);
  });

  it("shows the arguments of a call as they are written, and then as they are", () => {
    const delta = (content: string): PartEvent => ({ type: "call_delta", index: 0, id: "c1", content, ...at });
    const writing = reduce([delta('{"fi'), { ...delta('le":"a'), name: "read" } as PartEvent]);
    expect(writing).toStrictEqual([
      { type: "call", name: "read", text: '{"file":"a', state: "writing", announced: true, open: true, id: "c1" },
    ]);
    const announced = reduce([call("c1", { file: "a" })], writing);
    expect(announced).toStrictEqual([
      { type: "call", id: "c1", name: "read", args: { file: "a" }, state: "pending", announced: true, open: true },
    ]);
    expect(reduce([execute], announced)).toStrictEqual([
      { type: "call", id: "c1", name: "read", args: { file: "a" }, state: "pending", open: true },
    ]);
  });

  it("forgets a call that was begun and is not in the block", () => {
    const delta: PartEvent = { type: "call_delta", index: 1, content: "{", ...at };
    expect(calls(reduce([call("c1"), delta, execute]))).toMatchObject([{ id: "c1", state: "pending" }]);
  });

  it("tells the deltas of several calls apart, with ids or without", () => {
    const delta = (index: number, content: string, id?: string): PartEvent => ({
      type: "call_delta",
      index,
      content,
      ...(id !== undefined && { id }),
      ...at,
    });
    const texts = (events: PartEvent[]) => calls(reduce(events)).map(({ text }) => text);
    expect(texts([delta(0, "a"), delta(1, "b"), delta(0, "c")])).toEqual(["ac", "b"]);
    expect(texts([delta(0, "a", "x"), delta(1, "b", "y"), delta(0, "c", "x")])).toEqual(["ac", "b"]);
  });

  it("follows a call from its beginning over its progress to its result", () => {
    const steps: PartEvent[] = [
      call("c1"),
      execute,
      { type: "tool_started", id: "c1", name: "read", args: {}, timestamp: 5 },
      { type: "tool_progress", id: "c1", name: "read", update: 1, ...at },
      { type: "tool_progress", id: "c1", name: "read", update: 2, ...at },
    ];
    expect(reduce(steps)).toStrictEqual([
      { type: "call", id: "c1", name: "read", args: {}, state: "running", started: 5, progress: 2, open: true },
    ]);
    const answer = { tool: "read", status: "success" as const, content: "hello" };
    const ended: PartEvent = {
      type: "tool_ended",
      id: "c1",
      name: "read",
      args: {},
      started: true,
      outcome: "success",
      result: answer,
      duration: 2,
      ...at,
    };
    const done = { type: "call", id: "c1", name: "read", args: {}, state: "done", outcome: "success", result: answer };
    expect(reduce([...steps, ended])).toStrictEqual([{ ...done, duration: 2, open: true }]);
    expect(reduce([...steps, ended, result(["hello"])])).toStrictEqual([{ ...done, duration: 2 }]);
  });

  it("says how long a call of a log took, and shows the call that ran", () => {
    const ran = '{"name":"write","args":{"b":2}}';
    const whole = { tool: "read", status: "success", content: "hello, at length" };
    const log = [
      call("c1"),
      record("started", { id: "c1", call: ran }, 10),
      record("finished", { id: "c1", result: whole }, 13),
    ];
    const done = {
      type: "call",
      id: "c1",
      name: "write",
      args: { b: 2 },
      state: "done",
      outcome: "success",
      duration: 3,
    };
    expect(stored(log)).toStrictEqual([{ ...done, result: whole, open: true }]);
    expect(stored([...log, result(["hello"])])).toStrictEqual([
      { ...done, result: { tool: "read", status: "success", content: "hello" } },
    ]);
  });

  it("matches results to calls by id, and in order where there are no ids", () => {
    const contents = (event: PartEvent) =>
      calls(stored([call("a"), call("b"), event])).map((part) => part.result?.content);
    expect(contents(result(["for b", "for a"], ["b", "a"]))).toEqual(["for a", "for b"]);
    expect(contents(result(["for a", "for b"]))).toEqual(["for a", "for b"]);
    expect(contents(result(["for a"], ["a"]))).toEqual(["for a", undefined]);
    expect(contents(result(["for none"], ["x"]))).toEqual([undefined, undefined]);
    const parts = stored([call("same"), call("same"), result(["first", "second"], ["same", "same"])]);
    expect(calls(parts).map((part) => part.result?.content)).toEqual(["first", "second"]);
  });

  it("settles a call whose result cannot be read as a failure", () => {
    const unreadable = { ...result([]), content: "[{" } as PartEvent;
    expect(stored([call("c1"), unreadable])).toStrictEqual([
      { type: "call", id: "c1", name: "read", args: {}, state: "done", outcome: "failure" },
    ]);
  });

  it("shows a question after its call, and the call as denied", () => {
    const waiting = reduce([call("c1"), call("c2"), execute, asked]);
    const question = {
      type: "question",
      id: "q",
      call: "c1",
      name: "read",
      asks: "approval",
      concerns: [{ kind: "content", why: "it is untrusted" }],
      touches: ["file:/a"],
    };
    expect(waiting.map(({ type }) => type)).toEqual(["call", "question", "call"]);
    expect(waiting[0]).toMatchObject({ state: "waiting" });
    expect(waiting[1]).toStrictEqual({ ...question, open: true });
    const failed = {
      ...result([]),
      content: '[{"tool":"read","status":"failure","content":"no"},{"tool":"read","status":"success","content":1}]',
    } as PartEvent;
    const denied = reduce([settled, { ...settled, decision: "approved" } as PartEvent, failed], waiting);
    expect(denied[0]).toMatchObject({ state: "done", outcome: "denied" });
    expect(denied[1]).toStrictEqual({ ...question, decision: "denied", reason: "no" });
    expect(denied[2]).toMatchObject({ outcome: "success" });
  });

  it("waits until every question of a call is settled", () => {
    const second = { ...asked, question: "q2", agents: ["helper"] } as PartEvent;
    const parts = reduce([call("c1"), execute, asked, second, { ...settled, decision: "approved" } as PartEvent]);
    expect(parts).toMatchObject([{ state: "waiting" }, { id: "q", decision: "approved" }, { id: "q2", open: true }]);
    expect(reduce([{ ...settled, question: "q2", decision: "approved" } as PartEvent], parts)[0]).toMatchObject({
      state: "pending",
    });
  });

  it("closes a question whether a call may run once another one takes its place, live and from the log", () => {
    const second = { ...asked, question: "q2" } as PartEvent;
    const approve = { ...settled, question: "q2", decision: "approved" } as PartEvent;
    const live = reduce([call("c1"), execute, asked, second]);
    expect(live).toMatchObject([{ state: "waiting" }, { id: "q" }, { id: "q2", open: true }]);
    expect(live[1]).not.toHaveProperty("open");
    expect(live[1]).not.toHaveProperty("decision");
    expect(reduce([approve], live)).toMatchObject([{ state: "pending" }, {}, { decision: "approved" }]);
    const { id: _, question: __, type: ___, ...data } = asked as PartEvent & { type: "approval_requested" };
    const questions = ["q", "q2"].map((id) => record("question", { ...data, id, call: "c1", asks: "approval" }));
    expect(stored([call("c1"), execute, ...questions])).toStrictEqual(live);
  });

  it("says of a question of a call that the client is asked, and of no other", () => {
    const more = { name: "add", message: "Run add.", schema: { type: "object" } };
    const of = (client: unknown) => [
      record("question", { id: "q", call: "c1", asks: "answer", ...more, client }),
      { type: "question_asked", question: "q", id: "c1", ...more, client, timestamp: 1 } as unknown as PartEvent,
    ];
    for (const event of of(true))
      expect(reduce([call("c1"), execute, event])[1]).toMatchObject({ client: true, open: true });
    for (const event of [...of("yes"), ...of(undefined), { ...asked, client: true } as PartEvent])
      expect(reduce([call("c1"), execute, event])[1]).not.toHaveProperty("client");
  });

  it("reads approvals of logs that name no question", () => {
    const approval = { id: "c1", name: "read", hash: "h" };
    const parts = stored([
      call("c1"),
      record("approval", { ...approval, status: "asked" }),
      record("approval", { ...approval, status: "approved" }),
    ]);
    expect(parts).toMatchObject([{ state: "pending" }, { id: "c1", decision: "approved" }]);
    expect(parts[1]).not.toHaveProperty("open");
  });

  it("closes a question that nobody answered when its call has its result", () => {
    const [, question] = reduce([call("c1"), execute, asked, result(["x"])]);
    expect(question).toMatchObject({ type: "question" });
    expect(question).not.toHaveProperty("open");
    expect(question).not.toHaveProperty("decision");
  });

  it("removes the calls of a refused block, also those that ran early, with their questions", () => {
    const started: PartEvent = { type: "tool_started", id: "c1", name: "read", args: {}, ...at };
    const error: PartEvent = { type: "error", code: "malformed_execute", content: "why", ...at };
    const parts = [
      { type: "user", content: "go" },
      { type: "error", code: "malformed_execute", message: "why" },
    ];
    const live = [
      user,
      { type: "call_delta", index: 0, content: "{", ...at },
      call("c1"),
      call("c2"),
      started,
      asked,
      error,
    ];
    expect(reduce(live as PartEvent[])).toStrictEqual(parts);
    const rejected = record("rejected", { code: "malformed_execute", message: "why" });
    expect(stored([user, call("c1"), record("question", { id: "q", call: "c1" }), rejected])).toStrictEqual(parts);
  });

  it("keeps calls that have taken effect when an error comes", () => {
    const error: PartEvent = { type: "error", code: "x", content: "why", ...at };
    expect(calls(reduce([call("c1"), execute, error, result(["x"])]))).toMatchObject([{ outcome: "success" }]);
  });

  it("puts text that comes after announced calls before them, as the log has it", () => {
    const late: PartEvent = { type: "respond", content: "late", unit: 3, ...at };
    expect(reduce([call("c1"), late, execute]).map(({ type }) => type)).toEqual(["text", "call"]);
  });

  it("shows calls that a cancelled run left open as cancelled", () => {
    const parts = reduce([call("c1"), execute, { type: "interrupt", ...at }, { type: "cancelled", ...at }]);
    expect(parts).toStrictEqual([
      { type: "call", id: "c1", name: "read", args: {}, state: "done", outcome: "cancelled" },
      { type: "end", status: "cancelled" },
    ]);
  });

  it("shows one end for a run, and none of a wait that is over", () => {
    const ended = (status: string, extra = {}) =>
      ({ type: "run_ended", status, usage: {}, ...extra, ...at }) as PartEvent;
    const stop = { reason: "user_requested", message: "why", source: "x" };
    const begun = { type: "run_started", mode: "recover", ...at } as PartEvent;
    expect(reduce([{ type: "cancelled", ...at }, ended("stopped", { stop })])).toStrictEqual([
      { type: "end", status: "cancelled" },
    ]);
    expect(reduce([{ type: "interrupt", ...at }, ended("stopped", { stop })])).toStrictEqual([
      { type: "end", status: "stopped", stop: { reason: "user_requested", message: "why" } },
    ]);
    expect(reduce([ended("waiting"), begun])).toEqual([]);
    expect(reduce([ended("completed"), begun, ended("completed")])).toStrictEqual([
      { type: "end", status: "completed" },
    ]);
    expect(reduce([ended("failed", { error: { code: "provider", message: "why" } }), begun])).toStrictEqual([
      { type: "end", status: "failed", error: { code: "provider", message: "why" } },
    ]);
  });

  it("takes an id that is used again for another call", () => {
    const started: PartEvent = { type: "tool_started", id: "c1", name: "read", args: {}, ...at };
    const parts = reduce([call("c1"), execute, result(["x"]), call("c1"), execute, started]);
    expect(calls(parts).map(({ state }) => state)).toEqual(["done", "running"]);
  });

  it("returns the same list for events that show nothing", () => {
    const parts = reduce([user, call("c1"), execute, result(["x"])]);
    const nothing = [
      result(["for nothing"]),
      { type: "step_ended", outcome: "acted", ...at },
      { type: "tool_started", id: "unknown", name: "a", args: {}, ...at },
      { type: "tool_progress", id: "c1", name: "a", update: 1, ...at },
      { ...settled, question: "unknown" },
      record("later_kind", { id: "c1" }),
      record("usage", {}),
      { type: "later_type", id: "c1", ...at },
    ];
    for (const event of nothing) expect(reduceParts(parts, event as PartEvent)).toBe(parts);
  });

  it("changes no list and no part that it was given, and keeps every part that an event does not change", () => {
    let parts: Parts = [];
    const events = [
      user,
      call("c1"),
      call("c2"),
      execute,
      asked,
      settled,
      { type: "tool_progress", id: "c2", name: "a", update: 1, ...at } as PartEvent,
    ];
    for (const event of events) {
      for (const part of parts) Object.freeze(part);
      parts = reduceParts(Object.freeze(parts) as Parts, event);
    }
    const next = reduceParts(parts, { type: "tool_progress", id: "c2", name: "a", update: 2, ...at });
    expect(next.map((part, i) => part === parts[i])).toEqual([true, true, true, false]);
  });

  it("never throws, whatever stands in the fields of events and records", () => {
    const text = fc.constantFrom(
      "__proto__",
      "constructor",
      "c1",
      "q",
      "",
      "[{",
      '{"name":"__proto__","args":{"__proto__":1}}',
    );
    const value = fc.oneof(text, fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined));
    const types = [
      ...["user", "think", "respond", "call", "call_delta", "execute", "result", "error", "interrupt", "cancelled"],
      ...["record", "run_started", "run_ended", "tool_started", "tool_progress", "tool_ended", "approval_requested"],
      ...["approval_settled", "question_asked", "question_answered", "__proto__", "toString"],
    ];
    const kinds = ["rejected", "question", "approval", "answer", "started", "finished", "run", "__proto__"];
    const names = [
      "id",
      "call",
      "question",
      "status",
      "asks",
      "result",
      "name",
      "args",
      "concerns",
      "touches",
      "content",
    ];
    const more = ["index", "unit", "ids", "decision", "outcome", "stop", "error", "schema", "message", "seq"];
    const fields = fc.dictionary(fc.constantFrom(...names, ...more), value, { maxKeys: 8 });
    const event = fc
      .record({
        type: fc.constantFrom(...types),
        kind: fc.constantFrom(...kinds),
        data: fc.oneof(fields, value),
        fields,
      })
      .map(({ type, kind, data, fields }) => ({ ...fields, type, kind, data, timestamp: 0 }));
    const events = fc.array(fc.oneof({ weight: 8, arbitrary: event }, { weight: 1, arbitrary: value }), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(events, (all) => {
        const parts = [reduce(all as PartEvent[]), stored(all as PartEvent[])].flat();
        for (const part of parts) expect(problemOf(part)).toBeUndefined();
      }),
      randomRuns(3000),
    );
  });

  it("reads results that are nested too deep to be written again", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const content = `[{"tool":"read","status":"success","content":${deep}}]`;
    expect(stored([call("c1"), { ...result([]), content } as PartEvent])).toMatchObject([{ outcome: "success" }]);
  });
});

/** What would keep a screen from showing the part: a field that is not of its type. */
function problemOf(part: Part): string | undefined {
  const texts =
    part.type === "call"
      ? [part.name, part.id ?? "", part.text ?? ""]
      : part.type === "question"
        ? [part.id, part.call, ...part.touches, ...part.concerns.map(({ why }) => why)]
        : part.type === "error" || part.type === "notice"
          ? [part.code, part.message]
          : part.type === "end"
            ? [part.status, part.stop?.reason ?? "", part.error?.message ?? ""]
            : [part.content];
  return texts.every((text) => typeof text === "string") ? undefined : JSON.stringify(part);
}

describe("a notice", () => {
  const notice = (data: object) => record("notice", { code: "server", message: "It is down.", ...data });
  const says: PartEvent = { type: "respond", content: "Here.", ...at };

  it("stands open at the end, and takes the place of the one before it", () => {
    const parts = stored([
      user,
      notice({ retryAt: 10 }),
      record("usage", {}),
      notice({ code: "timeout", retryAt: 20 }),
    ]);
    expect(parts.slice(1)).toStrictEqual([
      { type: "notice", code: "timeout", message: "It is down.", retryAt: 20, open: true },
    ]);
    expect(reduce([notice({ parked: true })], parts).slice(1)).toStrictEqual([
      { type: "notice", code: "server", message: "It is down.", parked: true, open: true },
    ]);
  });

  it.each<[string, PartEvent[], PartEvent[]]>([
    ["an answer", [user], [says]],
    ["words of the person", [user], [user]],
    ["the end of a run", [user], [record("run", { status: "completed" })]],
    ["the results of calls that were open", [user, call("c1")], [result([1], ["c1"])]],
  ])("is settled by %s, and then promises nothing", (_, before, after) => {
    const settled = stored([...before, notice({ retryAt: 10 }), ...after]);
    expect(settled.filter(({ type }) => type === "notice")).toStrictEqual([
      { type: "notice", code: "server", message: "It is down." },
    ]);
    expect(
      reduce([...before, notice({ retryAt: 10 }), ...after].map((event, seq) => ({ ...event, seq }))),
    ).toStrictEqual(settled);
  });

  it("shows nothing of fields that are of another type", () => {
    expect(stored([record("notice", { code: 1, message: null, retryAt: "soon", parked: "yes" })])).toStrictEqual([
      { type: "notice", code: "", message: "", open: true },
    ]);
  });
});

describe("partsOf", () => {
  it("gives what reduceParts gives for stored events", () => {
    const log = [user, call("c1"), record("started", { id: "c1" }), result(["x"])].map((event, i) => ({
      ...event,
      seq: i,
    }));
    expect(reduce(log as PartEvent[])).toStrictEqual(stored(log as PartEvent[]));
  });

  it("reads a log in which calls follow each other without an end", () => {
    expect(calls(stored([user, call("c1"), user, call("c2")])).map(({ state }) => state)).toEqual(["done", "pending"]);
  });

  const picture = { kind: "image", mediaType: "image/png", data: "iVBORw0KGgo=", name: "a.png" } as const;

  it("keeps the attachments of a prompt", () => {
    const parts = reduce([{ ...user, attachments: [picture] } as PartEvent, { ...user, attachments: 5 } as never]);
    expect(parts).toStrictEqual([
      { type: "user", content: "go", attachments: [picture] },
      { type: "user", content: "go" },
    ]);
  });

  it("keeps the attachments of a result, which only the end of its call tells of, live and from the log", () => {
    const ended = { tool: "read", status: "success", content: 1, attachments: [picture] } as const;
    const live = reduce([
      call("c1"),
      execute,
      {
        type: "tool_ended",
        id: "c1",
        name: "read",
        args: {},
        started: true,
        outcome: "success",
        result: ended,
        duration: 1,
        ...at,
      },
      result([1], ["c1"]),
    ]);
    const log = stored([
      call("c1"),
      record("started", { id: "c1" }),
      record("finished", { id: "c1", result: ended }),
      result([1], ["c1"]),
    ]);
    for (const [part] of [calls(live), calls(log)]) expect(part).toMatchObject({ state: "done", result: ended });
  });
});
