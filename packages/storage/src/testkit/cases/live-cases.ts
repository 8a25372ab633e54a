import type { Piece } from "@cogency/protocol/parts";
import { assert, assertEqual, pause } from "@cogency/protocol/testkit";
import type { Case } from "../case.ts";
import { key, oddTexts, remarks, said } from "../samples/events.ts";
import { trickyKeys } from "../samples/tricky-names.ts";
import { pieceReader } from "./piece-reader.ts";
import { pieceWriter } from "./piece-writer.ts";

/** Every kind of piece, with odd texts. */
const everyPiece: Piece[] = [
  { type: "text", run: "r", seq: 4, unit: 1, offset: 0, text: Object.values(oddTexts).join("\n") },
  { type: "thinking", run: "r", seq: 4, unit: 2, offset: 0, text: "half of an emoji: \ud83d" },
  { type: "args", run: "r", seq: 4, unit: 3, offset: 0, text: '{"pa', call: "call_1" },
  { type: "args", run: "r", seq: 4, unit: 4, offset: 0, text: "", call: "call_2", name: "__proto__" },
  { type: "progress", run: "r", seq: 5, call: "call_3", update: { done: 0.5, lines: ["a", null] } },
];

/** What followers in the process of the publisher get. */
export const liveCases: Case[] = [
  {
    name: "live.follow yields every kind of piece unchanged, and those of one moment together",
    async check({ store, patience }) {
      const publisher = store.live.publisher(key, () => []);
      const reader = pieceReader(store.live, patience);
      const [first, second] = [reader.next("first"), reader.next("second")];
      publisher.publish(everyPiece);
      publisher.publish([{ type: "text", run: "r", seq: 6, unit: 5, offset: 0, text: "b" }]);
      assertEqual(await first, everyPiece, "the pieces of the first moment");
      assertEqual((await second).length, 1, "the number of pieces of the second moment");
    },
  },
  {
    name: "live.follow yields what is open from its beginning, and then what is written",
    async check({ store, patience }) {
      const early = pieceReader(store.live, patience);
      const first = early.next("from the beginning");
      const writer = pieceWriter(store.live, key);
      for (const word of ["It ", "rains ", "in ", "Basel."]) {
        writer.write(word);
        const late = pieceReader(store.live, patience);
        await late.catchesUp(writer, `when it joins after "${word}"`);
        await late.leave();
      }
      await first;
      await early.catchesUp(writer, "at the end");
      writer.settle();
      writer.write("The next one.");
      await early.catchesUp(writer, "in the second unit");
      const last = pieceReader(store.live, patience);
      await last.catchesUp(writer, "when it joins in the second unit");
      assertEqual([...last.texts], [["run 2", "The next one."]], "what who joins in the second unit shows");
    },
  },
  {
    name: "live.follow yields what many runs write at once to many followers that come and go",
    async check({ store, patience }) {
      const writers = ["a", "b", "c"].map((run) => pieceWriter(store.live, key, run));
      const readers = Array.from({ length: 10 }, async (_, index) => {
        await pause(index * 3);
        const reader = pieceReader(store.live, patience);
        if (index % 3 === 0) {
          await reader.next("before it leaves");
          return reader.leave();
        }
        for (;;) {
          await reader.next("until everything is written");
          if (writers.every(({ run }) => reader.texts.get(`${run} 1`)?.endsWith("."))) break;
        }
        for (const { run, open } of writers) assertEqual(reader.texts.get(`${run} 1`), open, `what run ${run} wrote`);
      });
      for (let word = 0; word < 100; word++) {
        for (const writer of writers) writer.write(word === 99 ? "." : `${word} `);
        if (word % 10 === 0) await pause(1);
      }
      await Promise.all(readers);
    },
  },
  {
    name: "live publishers know whether anybody follows, and are silent after their end",
    async check({ store, patience }) {
      const [writer, other] = [pieceWriter(store.live, key), pieceWriter(store.live, { conversation: "other" })];
      assertEqual(writer.isFollowed, false, "whether it is followed before anybody does");
      const readers = [pieceReader(store.live, patience), pieceReader(store.live, patience)] as const;
      const firsts = readers.map((reader) => reader.next("first"));
      assertEqual([writer.isFollowed, other.isFollowed], [true, false], "whether the conversations are followed");
      writer.write("x");
      await Promise.all(firsts);
      await readers[0].leave();
      assertEqual(writer.isFollowed, true, "whether it is followed when one of two has left");
      const closed = pieceWriter(store.live, key, "closed");
      closed.close();
      closed.close();
      closed.write("x");
      assertEqual(closed.isFollowed, false, "whether a closed publisher is followed");
      await readers[1].isQuiet("by a publisher that was closed");
      await readers[1].leave();
      assertEqual(writer.isFollowed, false, "whether it is followed when both have left");
      const again = pieceReader(store.live, patience);
      await again.catchesUp(writer, "when it follows again");
      assert(!again.texts.has("closed 1"), "Who joins must get nothing of a closed publisher.");
    },
  },
  {
    name: "live.follow yields no piece of another conversation, whatever their names are",
    async check({ store, patience }) {
      const readers = trickyKeys.map((one) => pieceReader(store.live, patience, {}, one));
      const firsts = readers.map((reader, index) => reader.next(`of conversation ${index}`));
      for (const [index, one] of trickyKeys.entries()) pieceWriter(store.live, one).write(`piece of ${index}`);
      for (const [index, first] of firsts.entries()) {
        const texts = (await first).map((piece) => (piece.type === "text" ? piece.text : undefined));
        assertEqual(texts, [`piece of ${index}`], `what the follower of conversation ${index} gets`);
      }
    },
  },
  {
    name: "live.follow drops what a slow follower does not pull, and then yields what is open from its beginning",
    async check({ store, patience }) {
      const writer = pieceWriter(store.live, key);
      const slow = pieceReader(store.live, patience);
      const first = slow.next("first");
      writer.write("the first unit");
      await first;
      for (let frame = 0; frame < 100; frame++) {
        writer.settle();
        writer.write("x".repeat(100_000));
        await pause(0);
      }
      const waited = await slow.next("after it was slow");
      const size = waited.reduce((sum, piece) => sum + (piece.type === "text" ? piece.text.length : 0), 0);
      assert(size <= 1_200_000, `At most 1,000,000 characters may wait for a follower, but ${size} did.`);
      await slow.catchesUp(writer, "after it was slow");
      writer.write("more");
      await slow.catchesUp(writer, "when it is quick again");
    },
  },
  {
    name: "live.follow leaves out what stands behind a hole, until the unit is given from its beginning",
    async check({ store, patience }) {
      let isFailing = true;
      const piece = (offset: number, text: string): Piece => ({
        type: "text",
        run: "r",
        seq: 0,
        unit: 1,
        offset,
        text,
      });
      const publisher = store.live.publisher(key, () => {
        if (isFailing) throw new Error("nothing to say");
        return [piece(0, "0123456789")];
      });
      const reader = pieceReader(store.live, patience);
      const first = reader.next("when it is given again");
      publisher.publish([piece(5, "56789")]);
      publisher.publish([piece(8, "89")]);
      isFailing = false;
      publisher.publish([piece(0, "01234")]);
      publisher.publish([piece(5, "56789")]);
      await first;
      await reader.catchesUp({ run: "r", unit: 1, open: "0123456789" }, "when it is given again");
    },
  },
  {
    name: "live.follow carries a megabyte of one unit in frames of 100,000 characters",
    async check({ store, patience }) {
      const writer = pieceWriter(store.live, key);
      const reader = pieceReader(store.live, patience);
      for (let frame = 0; frame < 10; frame++) {
        writer.write(`${frame}`.repeat(100_000));
        await reader.catchesUp(writer, `after frame ${frame}`);
      }
    },
  },
  {
    name: "live.follow ends when its signal is aborted, also while it waits, and may be left",
    async check({ store, patience }) {
      const writer = pieceWriter(store.live, key);
      writer.write("x");
      await pieceReader(store.live, patience, { signal: AbortSignal.abort() }).ends("of an aborted signal");
      const leaving = new AbortController();
      const waiting = pieceReader(store.live, patience, { signal: leaving.signal });
      await waiting.catchesUp(writer, "before the signal");
      const end = waiting.ends("at the signal");
      await pause(30);
      leaving.abort();
      await end;
      assertEqual(writer.isFollowed, false, "whether it is followed after the signal");
      for await (const _ of store.live.follow(key)) break;
      assertEqual(writer.isFollowed, false, "whether it is followed after a `break`");
    },
  },
  {
    name: "live followers end when the store is closed, and publishers stay quiet",
    async check({ store, patience }) {
      const writer = pieceWriter(store.live, key);
      const waiting = pieceReader(store.live, patience);
      const end = waiting.ends("at the close");
      await pause(30);
      await store.close();
      await end;
      writer.write("x");
      assertEqual(writer.isFollowed, false, "whether a publisher in a closed store is followed");
      const late = pieceWriter(store.live, key, "late");
      late.write("x");
      await pieceReader(store.live, patience).ends("in a closed store");
      writer.close();
      late.close();
    },
  },
  {
    name: "live stores nothing: no log, list, search or inbox shows it, and a delete does not end it",
    async check({ store, patience }) {
      await store.append(key, [said("the only words")]);
      const look = async () => [
        await store.load(key),
        await store.conversations(),
        await store.inbox(key),
        await store.search("umbrella", { user: undefined }),
        await store.conversations({ user: "u" }),
      ];
      const before = await look();
      const writer = pieceWriter(store.live, key);
      const reader = pieceReader(store.live, patience);
      const elsewhere = { conversation: "never written", user: "u" };
      const other = pieceReader(store.live, patience, {}, elsewhere);
      const otherWriter = pieceWriter(store.live, elsewhere);
      for (const one of [writer, otherWriter]) one.write("an umbrella");
      await reader.catchesUp(writer, "beside the log");
      await other.catchesUp(otherWriter, "of a conversation that does not exist");
      assertEqual(await look(), before, "the log, the lists, the inbox and a search");
      await store.delete(key);
      writer.settle();
      writer.write("anew");
      await reader.catchesUp(writer, "after the delete");
      assertEqual(await store.append(key, remarks(1)), 1, "the number of the first event after the delete");
    },
  },
];
