import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { followed } from "../../test/generate-pieces.ts";
import type { CallPart, Part } from "./part.ts";
import type { ArgsPiece, Piece, TextPiece } from "./piece.ts";
import { partsOf } from "./reduce-parts.ts";
import { emptyView, type NumberedEvent, type View, withEvent, withPieces } from "./view.ts";

const runs = randomRuns(1500);
const at = { timestamp: 1 };

const text = (content: string, place: Partial<TextPiece> = {}): TextPiece => {
  return { type: "text", run: "r", seq: 1, unit: 1, offset: 0, text: content, ...place };
};
const args = (content: string, place: Partial<ArgsPiece> = {}): ArgsPiece => {
  return { type: "args", run: "r", seq: 1, unit: 2, offset: 0, text: content, call: "c1", name: "a", ...place };
};
const user: NumberedEvent = { type: "user", content: "go", seq: 1, ...at };
const respond = (content: string, seq = 2): NumberedEvent => ({ type: "respond", content, seq, ...at });
const call = (id: string, seq: number): NumberedEvent => ({
  type: "call",
  id,
  content: '{"name":"a","args":{}}',
  seq,
  ...at,
});
const record = (kind: string, data: object, seq: number) =>
  ({ type: "record", kind, data, seq, ...at }) as NumberedEvent;

/** The view after stored events (objects) and pieces (lists), in this order. */
const viewOf = (...arrivals: (NumberedEvent | readonly Piece[])[]): View => arrivals.reduce<View>(arrive, emptyView);
const arrive = (view: View, arrival: NumberedEvent | readonly Piece[]): View =>
  "type" in arrival ? withEvent(view, arrival) : withPieces(view, arrival);
const last = ({ parts }: View): Part | undefined => parts.at(-1);

/** What is stored of the parts, as the log alone shows it. */
function storedOf({ parts }: View): Part[] {
  return parts.flatMap((part): Part[] => {
    if ("unit" in part || (part.type === "call" && part.state === "writing")) return [];
    if (part.type !== "call") return [part];
    const { progress, ...call } = part;
    return [call];
  });
}

/** Notices at the end say something else while something is open. */
const withoutNotice = (parts: readonly Part[]) => parts.filter(({ type }) => type !== "notice");

describe("a view", () => {
  it("shows the log and prefixes of what is being written, whatever becomes of the pieces, and ends as the log", () => {
    let shown = 0;
    fc.assert(
      fc.property(followed, ({ log, arrivals, units }) => {
        let view = emptyView;
        for (const arrival of arrivals) {
          view = arrive(view, arrival);
          for (const part of view.parts) {
            if (!("unit" in part) || part.unit === undefined) continue;
            const { text, storedAt } = units.get(part.unit) ?? { text: "", storedAt: 0 };
            expect(text.startsWith(part.content)).toBe(true);
            expect(storedAt).toBeGreaterThan(view.seq);
            shown++;
          }
          const calls = view.parts.filter((part): part is CallPart => part.type === "call" && part.open === true);
          const ids = calls.flatMap(({ id }) => id ?? []);
          expect(new Set(ids).size).toBe(ids.length);
          for (const call of calls.filter(({ state }) => state === "writing")) {
            const written = log.find((event) => event.type === "call" && event.id === call.id) as {
              content: string;
              seq: number;
            };
            expect(JSON.stringify(JSON.parse(written.content).args).startsWith(call.text ?? "?")).toBe(true);
            expect(written.seq).toBeGreaterThan(view.seq);
            shown++;
          }
          expect(withoutNotice(storedOf(view))).toStrictEqual(withoutNotice(partsOf(log.slice(0, view.seq))));
        }
        expect(view.parts).toStrictEqual(partsOf(log));
      }),
      runs,
    );
    expect(shown).toBeGreaterThan(runs.numRuns);
  });

  it("keeps all parts that an arrival does not change, and the whole view if it changes nothing", () => {
    fc.assert(
      fc.property(followed, ({ arrivals }) => {
        let view = emptyView;
        for (const arrival of arrivals) {
          const next = arrive(view, arrival);
          if (Array.isArray(arrival)) {
            const changed = next.parts.filter((part) => !view.parts.includes(part));
            // The notice at the end says something else from then on, and a new run takes the progress of the old one away.
            const others = view.parts.filter((part) => part.type === "notice" || "progress" in part);
            expect(changed.length).toBeLessThanOrEqual(arrival.length + others.length);
            const isProgress = arrival.some(({ type }) => type === "progress");
            if (!isProgress) for (const part of changed) expect(view.parts).not.toContainEqual(part);
            if (!isProgress) expect(arrive(next, arrival)).toBe(next);
          } else expect(arrive(next, arrival)).toBe(next);
          view = next;
        }
      }),
      randomRuns(500),
    );
  });

  it("never throws, for any JSON", () => {
    const field = fc.oneof(fc.jsonValue(), fc.constantFrom("r", "c1", 0, 1, 2, "text", "args", "a"));
    const names = [
      "type",
      "run",
      "seq",
      "unit",
      "offset",
      "text",
      "call",
      "name",
      "update",
      "kind",
      "data",
      "id",
      "content",
    ];
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom(...names), field),
      fc
        .record({ type: fc.constantFrom("text", "thinking", "args", "progress", "respond", "call", "record", "user") })
        .chain((type) =>
          fc.dictionary(fc.constantFrom(...names.slice(1)), field).map((rest) => ({ ...rest, ...type })),
        ),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), anything), { maxLength: 30 }), (arrivals) => {
        let view = emptyView;
        for (const [isEvent, value] of arrivals) {
          view = isEvent ? withEvent(view, value as never) : withPieces(view, [value] as never);
          view = withPieces(view, value as never);
        }
        expect(Array.isArray(view.parts)).toBe(true);
      }),
      randomRuns(3000),
    );
  });
});

describe("text", () => {
  it("grows by its pieces, and a letter makes one new part", () => {
    const before = viewOf(user, [text("He")]);
    expect(before.parts).toStrictEqual([
      { type: "user", content: "go" },
      { type: "text", content: "He", open: true, unit: 1 },
    ]);
    const after = withPieces(before, [text("llo", { offset: 2 })]);
    expect(last(after)).toMatchObject({ content: "Hello" });
    expect(after.parts[0]).toBe(before.parts[0]);
  });

  it("takes the new end of a repetition, and ignores one that is shorter", () => {
    const before = viewOf([text("Hello")]);
    expect(withPieces(before, [text("Hell")])).toBe(before);
    expect(last(withPieces(before, [text("lo, you", { offset: 3 })]))).toMatchObject({ content: "Hello, you" });
  });

  it("is not shown from the middle on, nor beyond a gap, until it comes from its beginning", () => {
    expect(viewOf([text("llo", { offset: 2 })]).parts).toEqual([]);
    const before = viewOf([text("He")]);
    expect(withPieces(before, [text("o", { offset: 4 })])).toBe(before);
    expect(last(withPieces(before, [text("Hello")]))).toMatchObject({ content: "Hello" });
  });

  it("is replaced by its stored unit, and a late piece of it is ignored", () => {
    const view = viewOf(user, [text("Hel")], respond("Hello"));
    expect(view.parts).toStrictEqual(partsOf([user, respond("Hello")] as never));
    expect(withPieces(view, [text("Hello")])).toBe(view);
    expect(viewOf(user, respond("Hello"), [text("Next", { seq: 2, unit: 2 })]).parts).toHaveLength(3);
  });

  it("stays when an event comes that was stored before its unit began", () => {
    const view = viewOf(user, [text("Hel", { seq: 2, unit: 2 })], respond("One"));
    expect(view.parts.map((part) => "content" in part && part.content)).toEqual(["go", "One", "Hel"]);
  });

  it("of an earlier run goes when another one writes, and what is late of it is ignored", () => {
    const before = viewOf(user, [text("The old run"), text("The new run", { run: "s" })]);
    expect(before.parts).toHaveLength(2);
    expect(last(before)).toMatchObject({ content: "The new run" });
    expect(withPieces(before, [text("The old run goes on")])).toBe(before);
  });

  it("goes with a notice, which is stored when a run has failed", () => {
    const notice = record("notice", { code: "server", message: "It is down.", parked: true }, 2);
    expect(viewOf(user, [text("Hel")], notice).parts).toStrictEqual(partsOf([user, notice] as never));
  });

  it("shows that the notice before it is over, while it is open", () => {
    const notice = record("notice", { code: "server", message: "It is down.", retryAt: 5 }, 2);
    const before = viewOf(user, notice);
    const open = withPieces(before, [text("H", { seq: 2 })]);
    expect(open.parts[1]).toStrictEqual({ type: "notice", code: "server", message: "It is down." });
    expect(withPieces(open, [text("Hi", { seq: 2 })]).parts[1]).toBe(open.parts[1]);
    expect(before.parts[1]).toMatchObject({ open: true, retryAt: 5 });
  });
});

describe("arguments", () => {
  it("are a call that is announced, behind the open unit, and stay when the unit is stored", () => {
    const view = viewOf(user, [text("I look."), args('{"x"')]);
    expect(view.parts.slice(1)).toStrictEqual([
      { type: "text", content: "I look.", open: true, unit: 1 },
      { type: "call", id: "c1", name: "a", text: '{"x"', state: "writing", announced: true, open: true },
    ]);
    const after = withEvent(view, respond("I look."));
    expect(after.parts[2]).toBe(view.parts[2]);
  });

  it("go when the calls of the block are stored, or refused", () => {
    const before = viewOf(user, [args("{}"), args("{", { unit: 3, call: "c2" })]);
    expect(before.parts.slice(1)).toMatchObject([{ id: "c1" }, { id: "c2" }]);
    const [first, second] = [call("c1", 2), call("c2", 3)];
    expect(viewOf(first, second).parts).toStrictEqual(withEvent(withEvent(before, first), second).parts.slice(1));
    expect(withEvent(before, record("rejected", { code: "c", message: "m" }, 2)).parts).toHaveLength(2);
  });

  it("stand in the order of their units", () => {
    const view = viewOf([args("b", { unit: 3, call: "c2" }), args("a"), args("bb", { unit: 3, call: "c2" })]);
    expect(view.parts).toMatchObject([{ id: "c1" }, { id: "c2", text: "bb" }]);
  });
});

describe("progress", () => {
  const running = [user, call("c1", 2), record("started", { id: "c1" }, 3)];
  const half: Piece = { type: "progress", run: "r", seq: 3, call: "c1", update: "half" };

  it("is shown on a stored call, and goes when it ends", () => {
    const view = viewOf(...running, [half]);
    expect(last(view)).toMatchObject({ state: "running", progress: "half" });
    const finished = record("finished", { id: "c1", result: { tool: "a", status: "success", content: 1 } }, 4);
    const after = withEvent(view, finished);
    expect(after.parts).toStrictEqual(partsOf([...running, finished] as never));
    expect(withPieces(after, [half]).parts).toBe(after.parts);
  });

  it("of a call that is not stored is nothing, and that of an earlier run goes when another one writes", () => {
    expect(viewOf(user, [half]).parts).toHaveLength(1);
    const view = viewOf(...running, [half], [text("So", { run: "s", seq: 3 })]);
    expect(view.parts[1]).not.toHaveProperty("progress");
  });
});

it("events that have come already change nothing", () => {
  const view = viewOf(user, respond("Hello"));
  expect(withEvent(view, respond("Hello"))).toBe(view);
  expect(withEvent(view, user)).toBe(view);
  expect(view.seq).toBe(2);
});
