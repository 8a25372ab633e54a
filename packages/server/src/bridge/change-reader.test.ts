import type { LogEvent } from "@cogency/protocol";
import type { Piece } from "@cogency/protocol/parts";
import type { StoredEvent } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import type { Change } from "./change.ts";
import { ChangeReader } from "./change-reader.ts";
import type { TurnItem } from "./turn-item.ts";

type Given = LogEvent extends infer E ? (E extends LogEvent ? Omit<E, "timestamp"> : never) : never;

/** Items with numbers: events as they are given, and pieces. */
function itemsOf(...given: (Given | readonly Piece[])[]): TurnItem[] {
  let seq = 0;
  return given.map((one) =>
    Array.isArray(one)
      ? { type: "pieces", pieces: one as Piece[] }
      : { type: "event", event: { ...one, timestamp: 0, seq: ++seq } as StoredEvent },
  );
}

const changesOf = (items: readonly TurnItem[]): Change[] => {
  const changes = new ChangeReader();
  return items.flatMap((item) => changes.read(item));
};
const over = (status: "completed" | "waiting" | "failed"): TurnItem => ({ type: "over", ending: { status } });

/** Each change as one line. */
const lines = (items: readonly TurnItem[]) =>
  changesOf(items).map((change) => {
    const { type } = change;
    if (type === "user") return `user ${change.turn} ${change.message ?? "-"} ${change.part.content}`;
    if (type === "call" || type === "call_ready" || type === "call_changed")
      return `${type} ${change.id} ${change.name}${"args" in change ? ` ${JSON.stringify(change.args)}` : ` of ${change.turn}`}${"isRestated" in change ? " restated" : ""}`;
    if (type === "call_end") return `call_end ${change.id} ${change.outcome} ${change.result?.content ?? "-"}`;
    if (type === "question" || type === "question_end")
      return `${type} ${change.part.id} ${change.part.decision ?? "-"}`;
    if (type === "end") return `end ${change.part.status}`;
    if ("id" in change) return `${type} ${change.id} ${"text" in change ? JSON.stringify(change.text) : ""}`.trimEnd();
    return type;
  });

const user = (content: string): Given => ({ type: "user", content });
const respond = (content: string): Given => ({ type: "respond", content });
const message = (id: string): Given => ({ type: "record", kind: "message", data: { id, kind: "prompt" } });
const call = (id: string, args: object): Given => ({
  type: "call",
  id,
  content: JSON.stringify({ name: "add", args }),
});
const usage: Given = {
  type: "record",
  kind: "usage",
  data: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0, duration: 1 },
};
const run = (status: "completed"): Given => ({ type: "record", kind: "run", data: { status } });
const text = (seq: number, offset: number, content: string, unit = 1, by = "r"): Piece => ({
  type: "text",
  run: by,
  seq,
  unit,
  offset,
  text: content,
});
const argsPiece = (seq: number, offset: number, content: string, id = "c1", unit = 2): Piece => ({
  type: "args",
  run: "r",
  seq,
  unit,
  offset,
  text: content,
  call: id,
  name: "add",
});

describe("changes", () => {
  it("are the units of a turn, under the same ids with pieces and without", () => {
    const log = itemsOf(message("m1"), user("hi"), respond("Hello."), usage, run("completed"));
    expect(lines(log)).toEqual([
      "user 2 m1 hi",
      "unit 2.t1",
      'unit_delta 2.t1 "Hello."',
      'unit_end 2.t1 "Hello."',
      "step",
      "end completed",
    ]);
    const live = itemsOf(message("m1"), user("hi"), [text(2, 0, "Hel")], [text(2, 3, "lo")], respond("Hello."), usage);
    expect(lines(live)).toEqual([
      "user 2 m1 hi",
      "unit 2.t1",
      'unit_delta 2.t1 "Hel"',
      'unit_delta 2.t1 "lo"',
      'unit_delta 2.t1 "."',
      'unit_end 2.t1 "Hello."',
      "step",
    ]);
  });

  it("fill a hole with the stored unit, and tell nothing twice", () => {
    const holes = itemsOf(user("hi"), [text(1, 0, "He")], [text(1, 4, "o")], [text(1, 0, "He")], respond("Hello."));
    expect(lines(holes)).toEqual([
      "user 1 - hi",
      "unit 1.t1",
      'unit_delta 1.t1 "He"',
      'unit_delta 1.t1 "llo."',
      'unit_end 1.t1 "Hello."',
    ]);
  });

  it("end a unit whose run has died, and begin the next one under another id", () => {
    const items = itemsOf(user("hi"), [text(1, 0, "Hel")], [text(1, 0, "Good", 1, "s")], respond("Good day."));
    expect(lines(items)).toEqual([
      "user 1 - hi",
      "unit 1.t1",
      'unit_delta 1.t1 "Hel"',
      "unit_end 1.t1",
      "unit 1.t1~1",
      'unit_delta 1.t1~1 "Good"',
      'unit_delta 1.t1~1 " day."',
      'unit_end 1.t1~1 "Good day."',
    ]);
  });

  it("are a call with its arguments as they are written, completed where a piece is missing", () => {
    const result: Given = {
      type: "result",
      content: '[{"tool":"add","status":"success","content":3}]',
      payload: { tools_executed: 1, success_count: 1, failure_count: 0 },
      ids: ["c1"],
    };
    const begun = itemsOf(user("add"), [argsPiece(1, 0, '{"a": 1,')], call("c1", { a: 1, b: 2 }), result);
    expect(lines(begun)).toEqual([
      "user 1 - add",
      "call c1 add of 1",
      'call_delta c1 "{\\"a\\": 1,"',
      'call_delta c1 "\\"b\\":2}"',
      'call_ready c1 add {"a":1,"b":2}',
      "call_end c1 success 3",
    ]);
    expect(lines(itemsOf(user("add"), call("c1", { a: 1 }), result))).toEqual([
      "user 1 - add",
      "call c1 add of 1",
      'call_ready c1 add {"a":1}',
      "call_end c1 success 3",
    ]);
    const other = itemsOf(user("add"), [argsPiece(1, 0, '{"x":')], call("c1", { a: 1 }));
    expect(lines(other).at(-1)).toBe('call_ready c1 add {"a":1} restated');
  });

  it("keep the second call of a block while the first one is stored", () => {
    const items = itemsOf(
      user("add"),
      [argsPiece(1, 0, "{}", "c1", 1), argsPiece(1, 0, "{}", "c2", 2)],
      call("c1", {}),
      call("c2", {}),
      { type: "record", kind: "started", data: { id: "c1" } },
    );
    expect(lines(items).slice(-2)).toEqual(["call_ready c1 add {}", "call_ready c2 add {}"]);
  });

  it("end the calls of a refused block without a result", () => {
    const items = itemsOf(user("add"), [argsPiece(1, 0, '{"a"')], {
      type: "record",
      kind: "rejected",
      data: { code: "malformed_execute", message: "The block is no JSON." },
    });
    expect(lines(items).slice(-2)).toEqual(["call_end c1 refused -", "error"]);
  });

  it("ask and close a question once, also when it is put again", () => {
    const question: Given = {
      type: "record",
      kind: "question",
      data: { id: "q1", call: "c1", name: "add", hash: "", asks: "approval" },
    };
    const items = itemsOf(user("add"), call("c1", {}), question, usage, question, {
      type: "record",
      kind: "approval",
      data: { id: "c1", name: "add", hash: "", status: "approved", question: "q1" },
    });
    expect(lines(items).slice(2)).toEqual([
      "call_ready c1 add {}",
      "question q1 -",
      "step",
      "question_end q1 approved",
    ]);
  });

  it("begin an answer with words that come in the middle, and share one among words that come together", () => {
    const items = itemsOf(
      message("m1"),
      user("one"),
      message("m2"),
      user("two"),
      respond("Yes."),
      user("three"),
      respond("No."),
    );
    expect(lines(items).filter((line) => /^(user|unit )/.test(line))).toEqual([
      "user 2 m1 one",
      "user 2 m2 two",
      "unit 2.t1",
      "user 6 - three",
      "unit 6.t1",
    ]);
  });

  it("close what is open when the turn is over, but not what waits", () => {
    const open = [...itemsOf(user("add"), [text(1, 0, "He")], call("c1", {})), over("failed")];
    expect(lines(open).slice(-1)).toEqual(["call_end c1 failure -"]);
    expect(lines([...open.slice(0, -1), over("waiting")]).at(-1)).toBe("call_ready c1 add {}");
  });
});
