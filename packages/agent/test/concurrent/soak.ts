import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore, type Store } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import { hall, type Mood, nameOf, problemsOf, timers } from "./converse.ts";

// `pnpm soak`: conversations at once, in rounds of one turn each, and the heap after each round. In memory, the store holds the log, so
// each round has new conversations, which are deleted after it; in SQLite they go on. Ends with 1 if conversations mix, if one
// is not free in the end, if timers are left, or if the heap grows.
const conversations = Number(process.env.SOAK_CONVERSATIONS ?? 1000);
const rounds = 14;
/** Rounds in which code is compiled and caches fill. */
const warmUp = 4;
/** Bytes by which the heap may be larger after the last round than after the warm-up. */
const mostGrowth = 3e6;

const stores = {
  memory: () => ({ store: memoryStore(), isKept: false, close: () => undefined }),
  async SQLite() {
    const folder = mkdtempSync(join(tmpdir(), "cogency-concurrent-"));
    const store = await sqliteStore({ path: join(folder, "conversations.db") });
    const close = async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    };
    return { store, isKept: true, close };
  },
};

console.log(
  `agent: ${conversations} conversations at once, ${rounds * conversations} turns, heap after each round in MB`,
);
for (const [name, open] of Object.entries(stores)) {
  for (const mood of ["calm", "unruly"] satisfies Mood[]) {
    const { store, isKept, close } = await open();
    const set = timers();
    const began = performance.now();
    const { ends, problems, heaps } = await lead(store, mood, isKept);
    const seconds = (performance.now() - began) / 1000;
    const left = timers() - set;
    await close();
    const growth = (heaps.at(-1) as number) - (heaps[warmUp - 1] as number);
    const megabytes = heaps.map((heap) => (heap / 1e6).toFixed(1)).join(" ");
    console.log(
      `${name}, ${mood}: ${JSON.stringify(ends)}, ${problems.length} wrong, ${left} timers left, ${seconds.toFixed(1)} s`,
    );
    console.log(`  ${megabytes}: ${(growth / 1e6).toFixed(1)} MB more since round ${warmUp}`);
    for (const problem of problems.slice(0, 5)) console.log(`  ${problem}`);
    if (problems.length > 0 || left > 0 || growth > mostGrowth) process.exitCode = 1;
  }
}

async function lead(store: Store, mood: Mood, isKept: boolean) {
  const { talk, ends, problems } = hall(store, mood);
  const heaps: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const first = isKept ? 0 : round * conversations;
    const all = Array.from({ length: conversations }, (_, index) => first + index);
    await Promise.all(all.map((index) => talk(index, isKept ? round : 0)));
    if (!isKept || round === rounds - 1) {
      for (const index of all) problems.push(...(await problemsOf(store, index, isKept ? rounds : 1)));
    }
    if (!isKept) for (const index of all) await store.delete({ conversation: nameOf(index) });
    heaps.push(heap());
  }
  return { ends, problems, heaps };
}

function heap(): number {
  if (!globalThis.gc) throw new Error("Run this with `node --expose-gc`.");
  for (let time = 0; time < 4; time++) globalThis.gc();
  return process.memoryUsage().heapUsed;
}
