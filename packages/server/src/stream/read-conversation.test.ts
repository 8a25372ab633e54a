import type { LogEvent } from "@cogency/protocol";
import type { Piece, TextPiece } from "@cogency/protocol/parts";
import { memoryStore, type Store } from "@cogency/storage";
import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { framesOf } from "../../test/support/frames.ts";
import { read, site } from "../../test/support/site.ts";
import { mostCharacters } from "../view/cut.ts";

const key = { conversation: "notes" };
const said = (content: string): LogEvent => ({ type: "respond", content, timestamp: 1 });
const hidden: LogEvent = { type: "record", kind: "summary", data: "canary", timestamp: 1 };
const letters = (seq: number, offset: number, text: string, unit = 1): TextPiece => ({
  type: "text",
  run: "r",
  seq,
  unit,
  offset,
  text,
});
const thought = (seq: number): TextPiece => ({ ...letters(seq, 0, "a thought", 2), type: "thinking" });

/** A handler for users with these scopes, and a publisher with nothing open. */
function open(scopes: readonly string[] = [], given?: Store) {
  const store = given ?? memoryStore();
  const made = site({ store, authenticate: ({ headers }) => ({ id: headers.get("x-user") ?? "ada", scopes }) });
  const hers = { ...key, user: "ada" };
  const publisher = store.live.publisher(hers, () => []);
  const follow = async (query = "", init: RequestInit = {}) =>
    framesOf(await made.ask(`/conversations/notes/events${query}`, init));
  return { ...made, store, hers, publisher, follow };
}

const isFollowed = ({ publisher }: Pick<ReturnType<typeof open>, "publisher">) =>
  expect.poll(() => publisher.isFollowed, { timeout: 20_000 }).toBe(true);

describe("a stream of events", () => {
  it("has the pieces of what is being written between the stored events, without a number", async () => {
    const made = open();
    const { store, hers, publisher, follow } = made;
    await store.append(hers, [said("one")]);
    const frames = await follow();
    expect(await frames.next()).toMatchObject({ id: 1, data: { content: "one" } });
    const next = frames.next();
    await isFollowed(made);
    publisher.publish([letters(1, 0, "tw")]);
    expect(await next).toEqual({ event: "pieces", data: [letters(1, 0, "tw")] });
    publisher.publish([letters(1, 2, "o")]);
    expect(await frames.next()).toEqual({ event: "pieces", data: [letters(1, 2, "o")] });
    await store.append(hers, [said("two")]);
    expect(await frames.next()).toMatchObject({ id: 2, data: { content: "two" } });
    await frames.leave();
    expect(publisher.isFollowed).toBe(false);
  });

  it("begins with all that is open, for who joins in the middle", async () => {
    const { store, hers, follow } = open();
    await store.append(hers, [said("one")]);
    store.live.publisher(hers, () => [letters(1, 0, "half of it")]);
    const frames = await follow("", { headers: { "last-event-id": "1" } });
    expect(await frames.next()).toEqual({ event: "pieces", data: [letters(1, 0, "half of it")] });
    await frames.leave();
  });

  it("holds a piece until the events before it were sent, also those that the view leaves out", async () => {
    const gate = Promise.withResolvers<void>();
    const inner = memoryStore();
    const late: Store = {
      ...inner,
      async *follow(which, options) {
        for await (const event of inner.follow(which, options)) {
          if (event.seq === 2) await gate.promise;
          yield event;
        }
      },
    };
    const made = open([], late);
    const frames = await made.follow("?view=parts");
    await inner.append(made.hers, [said("one"), hidden, hidden]);
    expect(await frames.next()).toMatchObject({ id: 1 });
    let got: unknown;
    const next = frames.next().then((frame) => {
      got = frame;
    });
    await isFollowed(made);
    made.publisher.publish([letters(3, 0, "held")]);
    made.publisher.publish([letters(3, 4, " and joined")]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(got).toBeUndefined();
    gate.resolve();
    await next;
    expect(got).toEqual({ event: "pieces", data: [letters(3, 0, "held")] });
    expect(await frames.next()).toEqual({ event: "pieces", data: [letters(3, 4, " and joined")] });
    await frames.leave();
  });

  it("gives every stored event once and in order, and no piece before the events that it follows, whatever comes when", async () => {
    const step = fc.oneof(
      { weight: 2, arbitrary: fc.record({ append: fc.constantFrom(said("x"), hidden) }) },
      { weight: 3, arbitrary: fc.record({ publish: fc.nat(20) }) },
      { weight: 1, arbitrary: fc.constant({ wait: true }) },
    );
    const check = async (steps: readonly object[], view: "parts" | "log") => {
      const { store, hers, publisher, follow } = open(["log"]);
      const frames = await follow(`?view=${view}`);
      const seen: unknown[] = [];
      const all = (async () => {
        for (let frame = await frames.next(); frame; frame = await frames.next()) {
          seen.push(frame);
          if (frame.id !== undefined && (frame.data as { type: string }).type === "cancelled") break;
        }
      })();
      let last = 0;
      for (const one of steps as { append?: LogEvent; publish?: number; wait?: true }[]) {
        if (one.append) last = await store.append(hers, [one.append]);
        else if (one.publish !== undefined) publisher.publish([letters(last, 0, "x".repeat(one.publish))]);
        else await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await store.append(hers, [{ type: "cancelled", timestamp: 1 }]);
      await all;
      await frames.leave();
      const log = await store.load(hers);
      const shown = log.filter(({ type }) => view === "log" || type !== "record");
      expect(seen.flatMap((frame) => (frame as { id?: number }).id ?? [])).toEqual(shown.map(({ seq }) => seq));
      let at = 0;
      for (const { id, data } of seen as { id?: number; data: unknown }[]) {
        at = id ?? at;
        for (const { seq } of id === undefined ? (data as Piece[]) : [])
          expect(shown.filter((event) => event.seq > at && event.seq <= seq)).toEqual([]);
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 20 }), fc.constantFrom("parts", "log"), check), {
      ...randomRuns(100),
    });
  });

  it("shows thinking to users with that scope, stored and in pieces, and progress no longer than a result", async () => {
    const update = "x".repeat(mostCharacters + 5);
    const progress: Piece = { type: "progress", run: "r", seq: 1, call: "c", update };
    const foreign = { type: "of the future", run: "r", seq: 1, text: "canary" } as unknown as Piece;
    for (const scopes of [[], ["thinking"], ["thinking", "log"], ["log"]]) {
      const made = open(scopes);
      await made.store.append(made.hers, [
        { type: "think", content: "a stored thought", timestamp: 1 },
        { type: "record", kind: "request", data: { system: "canary" }, timestamp: 1 } as unknown as LogEvent,
        said("one"),
      ]);
      const seesThinking = scopes.includes("thinking");
      const frames = await made.follow();
      const first = await frames.next();
      expect(first).toMatchObject(seesThinking ? { id: 1, data: { content: "a stored thought" } } : { id: 3 });
      if (seesThinking) expect(await frames.next()).toMatchObject({ id: 3 });
      const next = frames.next();
      await isFollowed(made);
      made.publisher.publish([letters(3, 0, "two"), thought(3), { ...progress, seq: 3 }, { ...foreign, seq: 3 }]);
      expect(await next).toEqual({
        event: "pieces",
        data: [
          letters(3, 0, "two"),
          ...(seesThinking ? [thought(3)] : []),
          { ...progress, seq: 3, update: `${"x".repeat(mostCharacters)}\n… 5 more characters` },
        ],
      });
      // Nothing of a thought alone is sent, not even that there is one.
      const later = frames.next();
      made.publisher.publish([thought(3)]);
      await made.store.append(made.hers, [said("end")]);
      const after = await later;
      expect(after).toMatchObject(seesThinking ? { event: "pieces", data: [thought(3)] } : { id: 4 });
      await frames.leave();
    }
  });

  it("gives the whole log to users with the scope `log`, and to nobody else", async () => {
    const { store, hers, ask, follow } = open(["thinking"]);
    await store.append(hers, [hidden]);
    expect(await read(ask("/conversations/notes/events?view=log"))).toMatchObject({
      status: 403,
      body: { code: "forbidden", message: expect.stringContaining("scope `log`") },
    });
    expect(await read(ask("/conversations/notes/events?view=all"))).toMatchObject({
      status: 400,
      body: { code: "invalid_request" },
    });
    const waiting = await follow();
    const first = waiting.next();
    await store.append(hers, [said("two")]);
    expect(await first).toMatchObject({ id: 2 });
    const allowed = open(["log"], store);
    const whole = await allowed.follow("?view=log");
    expect((await whole.next())?.data).toEqual((await store.load(hers))[0]);
    await Promise.all([waiting.leave(), whole.leave()]);
  });
});

describe("a reader that is slow", () => {
  it("loses pieces, never events, and gets what is open from its beginning when it goes on", async () => {
    const { store, hers, follow } = open();
    let text = "";
    const publisher = store.live.publisher(hers, () => (text === "" ? [] : [letters(1, 0, text)]));
    const frames = await follow();
    await store.append(hers, [said("one")]);
    expect(await frames.next()).toMatchObject({ id: 1 });
    for (let at = 0; at < 300; at++) {
      const piece = "x".repeat(10_000);
      publisher.publish([letters(1, text.length, piece)]);
      text += piece;
    }
    let seen = 0;
    let length = 0;
    while (length < text.length) {
      const frame = await frames.next();
      for (const { offset, text: piece } of (frame?.data ?? []) as TextPiece[]) {
        // Whatever was lost, a piece stands on what came before.
        expect(offset).toBeLessThanOrEqual(length);
        length = Math.max(length, offset + piece.length);
        seen++;
      }
    }
    expect(seen).toBeLessThan(300);
    await store.append(hers, [said(text), said("three")]);
    expect([await frames.next(), await frames.next()]).toMatchObject([{ id: 2 }, { id: 3 }]);
    await frames.leave();
  });

  it("and takes nothing for a second is followed for no longer, holds nothing, and loses no event that was read for it", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { store, hers, publisher, follow } = open();
    const frames = await follow();
    const first = frames.next();
    await store.append(hers, [said("one")]);
    expect(await first).toMatchObject({ id: 1 });
    const comment = frames.chunk();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await comment).toBe(": \n\n");
    expect(publisher.isFollowed).toBe(true);
    // Comes after the comment, before the reader asks again.
    await store.append(hers, [said("two")]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(publisher.isFollowed).toBe(false);
    expect(await frames.next()).toMatchObject({ id: 2 });
    expect(publisher.isFollowed).toBe(true);
    await frames.leave();
    expect([publisher.isFollowed, vi.getTimerCount()]).toEqual([false, 0]);
  });
});

describe("a stream whose time is over, or whose store is closed", () => {
  it("ends, and leaves no follower behind", async () => {
    const { store, hers, publisher, errors, ask } = open();
    const short = site({ store, streamTime: 30, authenticate: () => ({ id: "ada" }) });
    const frames = framesOf(await short.ask("/conversations/notes/events"));
    expect(await frames.next()).toBeUndefined();
    await expect.poll(() => publisher.isFollowed).toBe(false);
    const broken = framesOf(await ask("/conversations/notes/events"));
    const next = broken.next();
    await store.append(hers, [said("one")]);
    await next;
    const last = broken.next();
    await store.close();
    expect(await last).toBeUndefined();
    expect(errors).toEqual([]);
  });

  it("ends when the conversation is deleted", async () => {
    const { store, hers, publisher, follow } = open();
    await store.append(hers, [said("one")]);
    const frames = await follow();
    await frames.next();
    const next = frames.next();
    await store.delete(hers);
    expect(await next).toBeUndefined();
    await expect.poll(() => publisher.isFollowed).toBe(false);
  });
});
