import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { LogEvent } from "@cogency/protocol";
import fc from "fast-check";
import type { KillPoint } from "../two-processes/kill-point.ts";
import { conversation, openReader, prompt } from "./reader.ts";

const reader = fileURLToPath(new URL("reader.ts", import.meta.url));
const here = { conversation };
const sources = 5;

/** Posts notices while processes that read them are killed at random points, one after another. Returns the log when nothing waits. */
export async function killReaders(address: string, seed: number, notices: number): Promise<readonly LogEvent[]> {
  const { store, agent } = await openReader(address);
  const drawn = fc.sample(points, { seed, numRuns: 1 }).flat();
  let posted = 0;
  const post = async (count: number) => {
    for (const end = posted + count; posted < end; posted++)
      await agent.send(
        here,
        { kind: "notice", source: `s${posted % sources}`, content: `word-${posted};` },
        { id: `n${posted}` },
      );
  };
  try {
    await agent.send(here, { kind: "prompt", content: prompt }, { id: "prompt" });
    await post(notices / 2);
    for (const point of drawn) {
      // Half of them come while a process starts, reads or is dead.
      const dying = killed(address, point);
      await post(Math.floor(notices / 2 / (drawn.length + 1)));
      await dying;
    }
    await post(notices - posted);
    const last = start(address, null);
    const closed = once(last, "close");
    for await (const _ of store.watch(here)) if (await isRead(store)) break;
    last.kill("SIGKILL");
    await closed;
    return await store.load(here);
  } finally {
    await store.close();
  }
}

const kills = 5;

/** Every process passes these marks: messages wait for it. Of five of nine, one lies behind the append that takes messages. */
const points: fc.Arbitrary<KillPoint[]> = fc
  .tuple(
    fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: kills, maxLength: kills }),
    fc.array(fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined, freq: 2 }), {
      minLength: kills,
      maxLength: kills,
    }),
  )
  .map(([marks, delays]) => marks.map((mark, nth) => ({ mark, delay: delays[nth] })));

async function isRead(store: Awaited<ReturnType<typeof openReader>>["store"]): Promise<boolean> {
  if ((await store.inbox(here)).length > 0) return false;
  const log = await store.load(here, { types: ["record"] });
  const last = log.at(-1);
  return last?.type === "record" && last.kind === "run";
}

function start(address: string, point: KillPoint | null) {
  return spawn(process.execPath, [reader, address, JSON.stringify(point)], { stdio: ["pipe", "pipe", "inherit"] });
}

/** Starts a process and kills it at a point. */
async function killed(address: string, point: KillPoint): Promise<void> {
  const child = start(address, point);
  child.stdout.once("data", () => {
    if (point.delay === undefined) child.kill("SIGKILL");
    else setTimeout(() => child.kill("SIGKILL"), point.delay);
  });
  await once(child, "close");
}
