import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { StoredEvent } from "@cogency/storage";
import { describe, expect, it, onTestFinished } from "vitest";
import { sqliteStore } from "../src/index.ts";
import { batchOf } from "./samples.ts";
import { temporaryFolder } from "./temporary-folder.ts";

describe("sqliteStore in several processes", () => {
  it("loses nothing and leaves no gap when four create the database and append at once", {
    timeout: 60_000,
  }, async () => {
    const path = join(temporaryFolder(), "store.db");
    const names = ["a", "b", "c", "d"];
    const count = 100;
    const writers = names.map((name) => run("append-alongside.ts", path, name, String(count)));
    await Promise.all(writers.map((writer) => once(writer.stdout, "data")));
    const ends = writers.map((writer) => once(writer, "close"));
    for (const writer of writers) writer.stdin.end("go\n");
    expect(await Promise.all(ends)).toEqual(names.map(() => [0, null]));

    const store = await sqliteStore({ path });
    const shared = await store.load({ conversation: "shared" });
    expect(shared.map(({ seq }) => seq)).toEqual(Array.from({ length: names.length * count }, (_, index) => index + 1));
    for (const name of names) {
      const all = Array.from({ length: count }, (_, index) => `${name} ${index + 1}`);
      expect(contents(shared).filter((content) => content.startsWith(`${name} `))).toEqual(all);
      expect(contents(await store.load({ conversation: name }))).toEqual(all);
    }
    const summaries = await store.conversations();
    expect(Object.fromEntries(summaries.map(({ conversation, events }) => [conversation, events]))).toEqual({
      shared: 400,
      a: 100,
      b: 100,
      c: 100,
      d: 100,
    });
    await store.close();
  });

  it("keeps what was acknowledged and no half batch when the writer is killed", { timeout: 60_000 }, async () => {
    const path = join(temporaryFolder(), "store.db");
    for (let round = 1; round <= 6; round++) {
      const acknowledged = await killWhileAppending(path, String(round));

      const store = await sqliteStore({ path });
      const log = await store.load({ conversation: "c" });
      expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
      expect(log.length).toBeGreaterThanOrEqual(acknowledged);
      expect(log.length % 3).toBe(0);
      for (let index = 0; index < log.length; index += 3) {
        const [first = "", ...rest] = contents(log.slice(index, index + 3));
        expect([first, ...rest]).toEqual(contents(batchOf(first.replace(": first", ""))));
      }
      const [summary] = await store.conversations();
      expect(summary?.events).toBe(log.length);
      expect(await store.append({ conversation: "c" }, batchOf("again"), { batch: `${round}.1` })).toBeLessThan(
        log.length,
      );
      await store.close();
    }
  });
});

/** Kills a writer at a random moment of its work and returns the last number that it reported. */
async function killWhileAppending(path: string, round: string): Promise<number> {
  const writer = run("append-until-killed.ts", path, round);
  const enough = 2 + Math.floor(Math.random() * 150);
  const lines: string[] = [];
  const closed = once(writer, "close");
  for await (const line of createInterface(writer.stdout)) {
    lines.push(line);
    if (lines.length === enough) {
      await setTimeout(Math.random() * 5);
      writer.kill("SIGKILL");
    }
  }
  expect(await closed).toEqual([null, "SIGKILL"]);
  return Number(lines.at(-1));
}

function run(script: string, ...parameters: string[]): ChildProcessByStdio<Writable, Readable, null> {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [file, ...parameters], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

function contents(events: readonly Partial<StoredEvent>[]): string[] {
  return events.map((event) => ("content" in event ? String(event.content) : ""));
}
