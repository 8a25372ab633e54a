import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Piece } from "@cogency/protocol/parts";
import type { Key, LivePublisher } from "@cogency/storage";
import { columns, type Target } from "@tooling/bench";
import { postgresStore } from "../src/index.ts";

/** What a run writes in a frame, and how many frames it publishes in a second. */
const frame = "the quick brown fox ";
const framesPerSecond = 30;
const seconds = 10;

interface Measured {
  /** Milliseconds from the publisher to the follower, from the shortest. */
  delays: number[];
  /** Of one CPU, in percent. */
  publisher: number;
  follower: number;
}

/** How late letters are in another process, and what they cost the process that publishes and the one that follows. */
export async function live(url: string): Promise<Target[]> {
  const rows = [["", "frames/s", "median ms", "p99 ms", "most ms", "CPU publisher", "CPU follower"]];
  const all: Measured[] = [];
  for (const [what, runs, followed, isStored] of [
    ["50 runs that write to nobody", 50, 0, false],
    ["50 runs that nobody follows", 50, 0, true],
    ["1 run that is followed", 1, 1, true],
    ["50 runs that are followed", 50, 50, true],
  ] as const) {
    const measured = await measure(url, runs, followed, isStored);
    all.push(measured);
    rows.push([what, ...cellsOf(measured)]);
  }
  console.log(`letters in another process, for ${seconds} s each\n${columns(rows).join("\n")}\n`);
  const [bare, unfollowed, , many] = all;
  return [
    { what: "letters of 50 runs in another process, median", value: part(many, 0.5), unit: "ms", most: 100 },
    { what: "letters of 50 runs in another process, p99", value: part(many, 0.99), unit: "ms", most: 300 },
    {
      what: "one CPU, for 50 runs that publish and nobody follows",
      value: Math.max(0, (unfollowed?.publisher ?? Number.NaN) - (bare?.publisher ?? Number.NaN)),
      unit: "%",
      most: 2,
    },
  ];
}

async function measure(url: string, runs: number, followed: number, isStored: boolean): Promise<Measured> {
  const store = await postgresStore({ url });
  const follower = fork(fileURLToPath(new URL("follow-live.ts", import.meta.url)), [url, String(followed)]);
  await once(follower, "message");
  const publisherOf = isStored ? store.live.publisher : () => silent;
  const writers = Array.from({ length: runs }, (_, index) =>
    writerOf(publisherOf, { conversation: `followed ${index}` }),
  );
  await pause(1_000);
  const before = await answer(follower, "begin");
  const start = process.cpuUsage();
  await write(writers, runs);
  const { user, system } = process.cpuUsage(start);
  const { cpu, delays } = await answer(follower, "end");
  const measured: Measured = {
    delays,
    publisher: share(user + system),
    follower: share(cpu - before.cpu),
  };
  for (const { publisher } of writers) publisher.close();
  follower.kill();
  await once(follower, "exit");
  await store.close();
  return measured;
}

function cellsOf(measured: Measured): string[] {
  const { delays, publisher, follower } = measured;
  return [
    (delays.length / seconds).toFixed(0),
    ...[0.5, 0.99, 1].map((share) => (delays.length === 0 ? "" : String(part(measured, share)))),
    `${publisher.toFixed(1)} %`,
    `${follower.toFixed(1)} %`,
  ];
}

function part(measured: Measured | undefined, share: number): number {
  const { delays = [] } = measured ?? {};
  return delays[Math.min(delays.length - 1, Math.floor(share * delays.length))] ?? Number.NaN;
}

/** @param microseconds of CPU time */
function share(microseconds: number): number {
  return (100 * microseconds) / (seconds * 1e6);
}

const silent: LivePublisher = { isFollowed: false, publish() {}, close() {} };

/** Writes as agents do: a frame is made only while somebody follows. It begins with the time at which it was published. */
async function write(writers: readonly ReturnType<typeof writerOf>[], runs: number): Promise<void> {
  const start = performance.now();
  // The runs take turns within the time of a frame, as independent ones do.
  for (let turn = 0; turn < framesPerSecond * seconds * runs; turn++) {
    const wait = start + (1_000 / framesPerSecond) * (turn / runs) - performance.now();
    if (wait > 0) await pause(wait);
    writers[turn % runs]?.write();
  }
}

function writerOf(publisherOf: (key: Key, whole: () => readonly Piece[]) => LivePublisher, key: Key) {
  let open = "";
  const piece = (offset: number, text: string): Piece => ({ type: "text", run: "r", seq: 0, unit: 1, offset, text });
  const publisher = publisherOf(key, () => [piece(0, open)]);
  return {
    publisher,
    write() {
      const text = `${Date.now()} ${frame}`;
      open += text;
      if (publisher.isFollowed) publisher.publish([piece(open.length - text.length, text)]);
    },
  };
}

async function answer(follower: ChildProcess, question: "begin" | "end"): Promise<{ cpu: number; delays: number[] }> {
  follower.send(question);
  const [told] = await once(follower, "message");
  return told as { cpu: number; delays: number[] };
}
