import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Piece } from "@cogency/protocol/parts";
import type { Key, LivePublisher } from "@cogency/storage";
import { columns, type Target } from "@tooling/bench";
import { sqliteStore } from "../src/index.ts";

/** What a run writes in a frame, and how many frames it publishes in a second. */
const frame = "the quick brown fox ";
const framesPerSecond = 30;
const seconds = 10;

/** How late letters are in another process, and what they cost the process that publishes and the one that follows. */
export async function live(folder: string): Promise<Target[]> {
  const rows = [["", "frames/s", "median ms", "p99 ms", "most ms", "CPU publisher", "CPU follower"]];
  const measured: { median: number; p99: number; cpu: number }[] = [];
  for (const [what, runs, followed] of [
    ["50 runs that write to nobody", 50, "without a store"],
    ["50 runs that nobody follows", 50, 0],
    ["1 run that is followed", 1, 1],
    ["50 runs that are followed", 50, 50],
  ] as const) {
    const path = join(folder, `${what}.db`);
    const store = await sqliteStore({ path });
    const follower = fork(fileURLToPath(new URL("follow-live.ts", import.meta.url)), [
      path,
      String(Number(followed) || 0),
    ]);
    await once(follower, "message");
    const publishers = Array.from({ length: runs }, (_, index) =>
      writerOf(followed === "without a store" ? () => silent : store.live.publisher, keyOf(index)),
    );
    await pause(1_000);
    const before = await answer(follower, "begin");
    const start = process.cpuUsage();
    await write(publishers, runs);
    const used = process.cpuUsage(start);
    const { cpu: after, delays: sorted } = await answer(follower, "end");
    const share = (microseconds: number) => (100 * microseconds) / (seconds * 1e6);
    const at = (part: number) => sorted[Math.floor(part * sorted.length)] ?? Number.NaN;
    const cell = (value: number) => (Number.isNaN(value) ? "" : String(value));
    measured.push({ median: at(0.5), p99: at(0.99), cpu: share(used.user + used.system) });
    rows.push([
      what,
      (sorted.length / seconds).toFixed(0),
      ...[at(0.5), at(0.99), sorted.at(-1) ?? Number.NaN].map(cell),
      `${share(used.user + used.system).toFixed(1)} %`,
      `${share(after - before.cpu).toFixed(1)} %`,
    ]);
    for (const { publisher } of publishers) publisher.close();
    follower.kill();
    await once(follower, "exit");
    await store.close();
  }
  console.log(`letters in another process, for ${seconds} s each\n${columns(rows).join("\n")}\n`);
  const [bare, unfollowed, , many] = measured;
  return [
    { what: "letters of 50 runs in another process, median", value: many?.median ?? Number.NaN, unit: "ms", most: 100 },
    { what: "letters of 50 runs in another process, p99", value: many?.p99 ?? Number.NaN, unit: "ms", most: 300 },
    {
      what: "one CPU, for 50 runs that publish and nobody follows",
      value: Math.max(0, (unfollowed?.cpu ?? Number.NaN) - (bare?.cpu ?? Number.NaN)),
      unit: "%",
      most: 2,
    },
  ];
}

const silent: LivePublisher = { isFollowed: false, publish() {}, close() {} };

/** Writes as agents do: a frame is made only while somebody follows. It begins with the time at which it was published. */
async function write(publishers: readonly ReturnType<typeof writerOf>[], runs: number): Promise<void> {
  const start = performance.now();
  // The runs take turns within the time of a frame, as independent ones do.
  for (let turn = 0; turn < framesPerSecond * seconds * runs; turn++) {
    const wait = start + (1_000 / framesPerSecond) * (turn / runs) - performance.now();
    if (wait > 0) await pause(wait);
    publishers[turn % runs]?.write();
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

function keyOf(index: number): Key {
  return { conversation: `followed ${index}` };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
