import type { Piece } from "@cogency/protocol/parts";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { linkedHubs } from "../../test/support/linked-hubs.ts";
import type { Key } from "../key.ts";
import { addPiece } from "../testkit/cases/piece-reader.ts";
import { pieceWriter } from "../testkit/cases/piece-writer.ts";
import { type LiveHub, type LiveLink, liveHub } from "./live-hub.ts";

const key: Key = { conversation: "c" };

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

describe("liveHub", () => {
  it("answers pulls that are made at once in their order", async () => {
    const { live } = liveHub();
    const publisher = live.publisher(key, () => []);
    const follower = live.follow(key)[Symbol.asyncIterator]();
    const pulls = [follower.next(), follower.next(), follower.next()];
    publisher.publish([text(0, "a")]);
    publisher.publish([text(1, "b")]);
    await follower.return?.();
    expect(await Promise.all(pulls)).toEqual([
      { done: false, value: [text(0, "a")] },
      { done: false, value: [text(1, "b")] },
      { done: true, value: undefined },
    ]);
  });

  it("joins what waits by unit, also where several units and calls take turns", async () => {
    const { live } = liveHub();
    const publisher = live.publisher(key, () => []);
    const follower = live.follow(key)[Symbol.asyncIterator]();
    const first = follower.next();
    publisher.publish([text(0, "a")]);
    await first;
    for (let turn = 0; turn < 5_000; turn++) {
      publisher.publish([text(1 + turn, "b"), progress("x", turn), progress("y", turn)]);
    }
    expect((await follower.next()).value).toEqual([
      text(1, "b".repeat(5_000)),
      progress("x", 4_999),
      progress("y", 4_999),
    ]);
  });

  it("keeps the order of two runs", async () => {
    const { live } = liveHub();
    const publisher = live.publisher(key, () => []);
    const follower = live.follow(key)[Symbol.asyncIterator]();
    const first = follower.next();
    publisher.publish([text(0, "a")]);
    await first;
    const pieces = [text(1, "b"), { ...text(0, "c"), run: "other" }, text(2, "d")];
    for (const piece of pieces) publisher.publish([piece]);
    expect((await follower.next()).value).toEqual(pieces);
  });

  it("gives a frame larger than what may wait to a follower that pulls, and drops it for one that does not", async () => {
    const { live } = liveHub();
    let open = text(0, "");
    const publisher = live.publisher(key, () => [open]);
    const [quick, slow] = [live.follow(key)[Symbol.asyncIterator](), live.follow(key)[Symbol.asyncIterator]()];
    await Promise.all([quick.next(), slow.next()]);
    const pulled = quick.next();
    open = text(0, "x".repeat(2_000_000));
    publisher.publish([open]);
    expect((await pulled).value).toEqual([open]);
    open = text(0, `${open.text}y`);
    publisher.publish([text(2_000_000, "y")]);
    expect((await slow.next()).value).toEqual([open]);
    expect((await quick.next()).value).toEqual([text(2_000_000, "y")]);
  });

  it("asks for what is missing at most every 250 milliseconds, and gives nothing of the unit until then", async () => {
    const asked: Key[] = [];
    const hub = liveHub(linkOf({ asks: (one) => void asked.push(one) }));
    const follower = hub.live.follow(key)[Symbol.asyncIterator]();
    const pull = follower.next();
    expect(asked).toEqual([key]);
    for (let offset = 5; offset < 100; offset++) hub.receive(key, [text(offset, "x")]);
    expect(asked).toHaveLength(1);
    vi.advanceTimersByTime(250);
    for (let offset = 100; offset < 200; offset++) hub.receive(key, [text(offset, "x")]);
    expect(asked).toHaveLength(2);
    hub.receive(key, [text(0, "x".repeat(200))]);
    expect((await pull).value).toEqual([text(0, "x".repeat(200))]);
    hub.receive(key, [text(200, "y")]);
    expect((await follower.next()).value).toEqual([text(200, "y")]);
    expect(asked).toHaveLength(2);
  });

  it("tells its link of the first and the last of each conversation, by key and nothing else", () => {
    const calls: unknown[] = [];
    const hub = liveHub(
      linkOf({
        asks: (one) => void calls.push(["asks", one]),
        leaves: (one) => void calls.push(["leaves", one]),
        publishes: (one, is) => void calls.push(["publishes", one, is]),
      }),
    );
    const summary = { conversation: "c", user: "u", title: "", events: 1, createdAt: 0, updatedAt: 0 };
    const publishers = [hub.live.publisher(summary, () => []), hub.live.publisher(summary, () => [])];
    const followers = [1, 2].map(() => hub.live.follow(summary)[Symbol.asyncIterator]());
    for (const follower of followers) void follower.next();
    for (const one of [...publishers, ...publishers]) one.close();
    for (const one of [...followers, ...followers]) void one.return?.();
    const known = { conversation: "c", user: "u" };
    expect(calls).toEqual([
      ["publishes", known, true],
      ["asks", known],
      ["asks", known],
      ["publishes", known, false],
      ["leaves", known],
    ]);
  });

  it("is silent after `close` of a publisher, and in a hub that was closed", async () => {
    const sent: unknown[] = [];
    const hub = liveHub(linkOf({ isFollowed: () => true, send: (_, pieces) => void sent.push(pieces) }));
    const [closed, open] = [hub.live.publisher(key, () => []), hub.live.publisher(key, () => [])];
    closed.close();
    closed.publish([text(0, "a")]);
    expect([closed.isFollowed, open.isFollowed]).toEqual([false, true]);
    hub.close();
    open.publish([text(0, "a")]);
    open.close();
    const late = hub.live.publisher(key, () => []);
    late.publish([text(0, "a")]);
    expect([open.isFollowed, late.isFollowed, sent]).toEqual([false, false, []]);
    expect(await hub.live.follow(key)[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
  });

  it("survives links, callbacks and pieces that throw", async () => {
    const fail = () => {
      throw new Error("out of order");
    };
    const hub = liveHub(linkOf({ isFollowed: () => true, send: fail }));
    const publisher = hub.live.publisher(key, fail);
    const follower = hub.live.follow(key)[Symbol.asyncIterator]();
    const first = follower.next();
    publisher.publish([{ run: "r", seq: 0, type: "progress", call: "c", update: 1n as never }]);
    publisher.publish([text(0, "a")]);
    expect((await first).value).toContainEqual(text(0, "a"));
  });

  it("gives every follower of two linked processes no hole, whatever is lost or late, and all of it in the end", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 100, size: "max" }), async (steps) => {
        const { hubs, link } = linkedHubs();
        const writing = hubs.map((hub, index) => pieceWriter(hub.live, key, `run ${index}`));
        const readers: Reader[] = [];
        for (const { what, which, amount } of steps) {
          if (what === "write") writing[which % 2]?.write(words(amount));
          if (what === "settle") writing[which % 2]?.settle();
          if (what === "join") readers.push(readerOf(hubs[which % 2] as LiveHub));
          if (what === "pull") await readers[which % (readers.length || 1)]?.pull();
          if (what === "leave") await readers.splice(which % (readers.length || 1), 1)[0]?.leave();
          if (what === "deliver") link.deliver(1 + which);
          if (what === "lose") link.lose(which);
          if (what === "wait") vi.advanceTimersByTime(amount);
        }
        // Each round writes, so that a reader with a hole notices it, asks, and is answered.
        for (let round = 0; round < 4; round++) {
          vi.advanceTimersByTime(300);
          for (const one of writing) one.write("x");
          for (let trip = 0; trip < 6; trip++) link.deliver(1_000);
          for (const reader of readers) await reader.pull();
        }
        for (const reader of readers) {
          for (const one of writing) expect(reader.textOf(one.run, one.unit)).toBe(one.open);
          for (const [unit, read] of reader.texts) {
            const written = writing.flatMap(({ written }) => [...written]).find(([name]) => name === unit)?.[1];
            expect(written?.startsWith(read)).toBe(true);
          }
          await reader.leave();
        }
      }),
      { numRuns: 300 },
    );
  });
});

const step = fc.record({
  what: fc.constantFrom(
    "write",
    "write",
    "settle",
    "join",
    "pull",
    "pull",
    "leave",
    "deliver",
    "deliver",
    "lose",
    "lose",
    "wait",
  ),
  which: fc.nat({ max: 7 }),
  amount: fc.nat({ max: 400 }),
});

interface Reader {
  texts: Map<string, string>;
  textOf(run: string, unit: number): string | undefined;
  /** Reads what is there, if anything is. */
  pull(): Promise<void>;
  leave(): Promise<unknown>;
}

function readerOf({ live }: LiveHub): Reader {
  const follower = live.follow(key)[Symbol.asyncIterator]();
  const texts = new Map<string, string>();
  let isReading = false;
  const read = async () => {
    const { value = [] } = await follower.next();
    for (const piece of value) addPiece(texts, piece);
    isReading = false;
  };
  return {
    texts,
    textOf: (run, unit) => texts.get(`${run} ${unit}`),
    async pull() {
      for (let turn = 0; turn < 3; turn++) {
        if (!isReading) void read();
        isReading = true;
        for (let tick = 0; tick < 5; tick++) await Promise.resolve();
      }
    },
    leave: async () => follower.return?.(),
  };
}

/** A text of so many characters, in which no place is like its neighbours. */
function words(count: number): string {
  return Array.from({ length: count }, (_, index) => String.fromCharCode(97 + (index % 26))).join("");
}

function linkOf(link: Partial<LiveLink>): LiveLink {
  return { asks() {}, leaves() {}, publishes() {}, isFollowed: () => false, send() {}, ...link };
}

function text(offset: number, content: string): Piece & { type: "text" } {
  return { type: "text", run: "r", seq: 3, unit: 1, offset, text: content };
}

function progress(call: string, update: number): Piece {
  return { type: "progress", run: "r", seq: 3, call, update };
}
