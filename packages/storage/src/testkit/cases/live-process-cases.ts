import { assert, assertEqual, eventually, pause } from "@cogency/protocol/testkit";
import type { Key } from "../../key.ts";
import { needing } from "../case.ts";
import type { OtherProcess } from "../process/other-process.ts";
import { key, oddTexts } from "../samples/events.ts";
import { trickyKeys } from "../samples/tricky-names.ts";
import { addPiece, pieceReader } from "./piece-reader.ts";
import { pieceWriter } from "./piece-writer.ts";

/** What followers in other processes than that of the publisher get. */
export const liveProcessCases = needing("elsewhere", [
  {
    name: "live pieces of another process arrive, in the middle of a unit too, while it and its followers come and go",
    async check({ store, startProcess, patience }) {
      const other = await startProcess();
      const early = pieceReader(store.live, patience);
      const first = early.next("of another process");
      let open = "";
      for (let word = 0; word < 50; word++) {
        await other.writeLive(key, "run", `${word} `);
        open += `${word} `;
        const late = pieceReader(store.live, patience);
        if (word % 10 === 0) await late.catchesUp({ run: "run", unit: 1, open }, `when it joins at word ${word}`);
        await late.leave();
      }
      await first;
      await early.catchesUp({ run: "run", unit: 1, open }, "at the end");
    },
  },
  {
    name: "live pieces arrive in other processes, in the middle of a unit too, while they come and go",
    async check({ store, startProcess, patience }) {
      const others = await Promise.all([startProcess(), startProcess()]);
      const writer = pieceWriter(store.live, key);
      for (let round = 0; round < 3; round++) {
        for (const other of others) await other.followLive(key);
        for (let word = 0; word < 10; word++) {
          writer.write(`${word} `);
          await pause(word % 3);
        }
        for (const other of others) await arrives(other, key, "run", writer.open, patience);
        for (const other of others) await other.leaveLive(key);
      }
    },
  },
  {
    name: "live publishers know whether anybody follows in another process, also when it was killed",
    async check({ store, startProcess, patience }) {
      const others = await Promise.all([startProcess(), startProcess()]);
      const [other, another] = others;
      const [writer, unfollowed] = [pieceWriter(store.live, key), pieceWriter(store.live, { ...key, user: "u" })];
      const becomes = (isFollowed: boolean, when: string) =>
        eventually(
          async () => writer.isFollowed === isFollowed,
          patience,
          `The publisher did not learn ${when} that it is ${isFollowed ? "" : "not "}followed`,
        );
      assertEqual(writer.isFollowed, false, "whether it is followed before anybody does");
      for (const one of others) await one.followLive(key);
      await becomes(true, "after they began to follow");
      await other?.leaveLive(key);
      await pause(300);
      assertEqual(writer.isFollowed, true, "whether it is followed when one of two has left");
      await another?.leaveLive(key);
      await becomes(false, "after both have left");
      await other?.followLive(key);
      await becomes(true, "after one follows again");
      await other?.end();
      await becomes(false, "after the process was killed");
      assertEqual(unfollowed.isFollowed, false, "whether the other conversation is followed");
    },
  },
  {
    name: "live.follow yields no piece of another conversation of another process, whatever their names are",
    timeout: 240_000,
    async check({ store, startProcess, patience }) {
      const other = await startProcess();
      const readers = trickyKeys.map((one) => pieceReader(store.live, patience, {}, one));
      const firsts = readers.map((reader, index) => reader.next(`of conversation ${index}`));
      for (const [index, one] of trickyKeys.entries()) await other.writeLive(one, "run", `piece of ${index}`);
      for (const [index, first] of firsts.entries()) {
        const texts = (await first).map((piece) => (piece.type === "text" ? piece.text : undefined));
        assertEqual(texts, [`piece of ${index}`], `what the follower of conversation ${index} gets`);
      }
    },
  },
  {
    name: "live pieces of 100,000 characters and of odd texts arrive unchanged in another process",
    async check({ store, startProcess, patience }) {
      const other = await startProcess();
      await other.followLive(key);
      const writer = pieceWriter(store.live, key);
      writer.write(Object.values(oddTexts).join("\n"));
      await arrives(other, key, "run", writer.open, patience);
      writer.write("half of an emoji: \ud83d");
      await arrives(other, key, "run", writer.open, patience);
      writer.write(`\ude00 and ${"é👩‍👧\n".repeat(20_000)}`);
      await arrives(other, key, "run", writer.open, patience);
    },
  },
  {
    name: "live followers go on with the next process when the one that publishes is killed",
    timeout: 240_000,
    async check({ store, startProcess, patience }) {
      const reader = pieceReader(store.live, patience);
      const first = reader.next("of the first process");
      for (const run of ["first", "second", "third"]) {
        const other = await startProcess();
        await other.writeLive(key, run, "It rains");
        await first;
        await reader.catchesUp({ run, unit: 1, open: "It rains" }, `of the ${run} process`);
        const endless = (async () => {
          for (;;) await other.writeLive(key, run, " and rains");
        })();
        endless.catch(() => {});
        await reader.next("while it is written");
        await other.end();
      }
    },
  },
  {
    name: "live publishers of two processes at 30 frames a second and more neither wait nor lose the end",
    timeout: 240_000,
    async check({ store, startProcess, patience }) {
      const other = await startProcess();
      await other.followLive(key);
      const reader = pieceReader(store.live, patience);
      const first = reader.next("first");
      const writer = pieceWriter(store.live, key, "here");
      let [open, slowest] = ["", 0];
      for (let frame = 0; frame < 60; frame++) {
        const text = `${frame} ${"x".repeat(1_000)} `;
        const start = performance.now();
        writer.write(text);
        slowest = Math.max(slowest, performance.now() - start);
        open += text;
        await other.writeLive(key, "there", text);
      }
      await first;
      await reader.catchesUp({ run: "there", unit: 1, open }, "at the end");
      await reader.catchesUp(writer, "at the end");
      await arrives(other, key, "here", writer.open, patience);
      await arrives(other, key, "there", open, patience);
      assert(slowest < patience / 10, `A publish took ${slowest} ms: it must not wait for others.`);
    },
  },
]);

/** Waits until the follower of another process shows this text, and asserts that it got it without a hole. */
async function arrives(other: OtherProcess, key: Key, run: string, open: string, patience: number): Promise<void> {
  await eventually(
    async () => {
      const texts = new Map<string, string>();
      for (const piece of await other.livePieces(key)) addPiece(texts, piece);
      return texts.get(`${run} 1`) === open;
    },
    patience,
    "The follower of another process did not get what is open",
  );
}
