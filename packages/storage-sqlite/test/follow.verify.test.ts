import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { StoredEvent } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "../src/index.ts";
import { otherProcess } from "./support/other-process.ts";
import { batchOf, contentsOf, said } from "./support/samples.ts";
import { spawnScript } from "./support/spawn-script.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const key = { conversation: "c" };
/** Milliseconds within which a follower receives an event of another process, on a busy machine. */
const patience = 10_000;

describe("following the events of another process", () => {
  it("yields each event once and in order, even if the writer is killed and another continues", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    const leaving = new AbortController();
    const { seen, end } = collect(store.follow(key, { signal: leaving.signal }));
    for (const round of ["1", "2", "3"]) {
      await killWriter(path, round);
      const log = await store.load(key);
      await expect.poll(() => seen.length, { timeout: patience }).toBe(log.length);
      expect(seen).toEqual(log);
    }
    leaving.abort();
    await end;
    await store.close();
  });

  it("starts after the given number, and ends when another process deletes the conversation", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    const other = otherProcess(path);
    await store.append(key, batchOf("here"));
    const { seen, end } = collect(store.follow(key, { after: 2 }));
    await other.append(key, [said("there")]);
    await expect.poll(() => contentsOf(seen), { timeout: patience }).toEqual(["here: third", "there"]);
    await other.delete(key);
    await end;
    expect(seen).toHaveLength(2);
    await store.close();
  });

  it("is not woken by another conversation, and yields its own events after a long pause", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    const other = otherProcess(path);
    const leaving = new AbortController();
    const { seen, end } = collect(store.follow(key, { signal: leaving.signal }));
    for (let index = 0; index < 20; index++) await other.append({ conversation: "other" }, [said(`noise ${index}`)]);
    // Longer than the longest pause between two polls of the file.
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(seen).toEqual([]);
    await other.append(key, [said("at last")]);
    await expect.poll(() => contentsOf(seen), { timeout: patience }).toEqual(["at last"]);
    leaving.abort();
    await end;
    await store.close();
  });
});

describe("a slow follower of a log with large events", () => {
  it("gets each of them, and has a few of them in memory at a time", async () => {
    const store = await sqliteStore({ path: join(temporaryFolder(), "store.db") });
    const twenty = (text: string) => Array.from({ length: 20 }, () => said(text));
    await store.append(key, twenty("x".repeat(1_000_000)));
    await store.append(key, twenty("small"));
    const whole: number[] = [];
    for await (const { seq } of store.follow(key)) {
      whole.push(seq);
      if (seq === 40) break;
    }
    expect(whole).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    const seen: number[] = [];
    for await (const { seq } of store.follow(key)) {
      if (seq === 1) await store.delete(key);
      seen.push(seq);
    }
    // What it had read before the conversation was deleted.
    expect(seen.length).toBeLessThan(6);
    await store.close();
  });
});

function collect(events: AsyncIterable<StoredEvent>): { seen: StoredEvent[]; end: Promise<void> } {
  const seen: StoredEvent[] = [];
  const read = async () => {
    for await (const event of events) seen.push(event);
  };
  return { seen, end: read() };
}

/** Kills the writer during its work, after it has reported some events. */
async function killWriter(path: string, round: string): Promise<void> {
  const writer = spawnScript("append-until-killed.ts", path, round);
  const closed = once(writer, "close");
  let lines = 0;
  for await (const _ of createInterface(writer.stdout)) if (++lines === 40) writer.kill("SIGKILL");
  await closed;
}
