import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { sqliteStore } from "@cogency/storage-sqlite";
import { expect, it } from "vitest";
import { profileBounds, readProfile } from "../src/index.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const program = fileURLToPath(new URL("support/learner-process.ts", import.meta.url));

function learner(path: string, messages: number): ChildProcess {
  return spawn(process.execPath, [program, path, String(messages)], { stdio: ["pipe", "pipe", "inherit"] });
}

/** Resolves with the lines that a process has written when it has ended. */
async function linesOf(process: ChildProcess, onLine: (line: string, nth: number) => void = () => {}) {
  const lines: string[] = [];
  const ended = once(process, "close");
  for await (const line of createInterface({ input: process.stdout as NodeJS.ReadableStream }))
    onLine(line, lines.push(line));
  await ended;
  return lines;
}

async function whatIsKept(path: string) {
  const store = await sqliteStore({ path });
  const { profile, version } = await readProfile(store, undefined);
  const names = (await store.conversations({ limit: 10_000 })).map(({ conversation }) => conversation);
  await store.close();
  return { profile, version, said: new Set(names.map((name) => `The word of ${name} counts.`)) };
}

it("leaves the profile of before or of after when a learner is killed at any moment", async () => {
  const path = join(temporaryFolder(), "store.db");
  let before = 0;
  for (let kill = 0; kill < 8; kill++) {
    const killed = learner(path, 1000);
    const after = 1 + (kill % 3);
    await linesOf(killed, (_, nth) => {
      // A moment into the next look: it reads, asks the model for some milliseconds, and saves.
      if (nth === after) setTimeout(() => killed.kill("SIGKILL"), 2 * kill);
    });
    const { profile, version, said } = await whatIsKept(path);
    expect(version).toBeGreaterThanOrEqual(before + after);
    // Words that were said just before a kill are learned with the next ones.
    expect(profile.memories.length).toBeGreaterThanOrEqual(Math.min(version, 20));
    expect(profile.memories.length).toBeLessThanOrEqual(Math.min(said.size, profileBounds.memories));
    expect(new Set(profile.memories.map(({ words }) => words)).size).toBe(profile.memories.length);
    for (const { words } of profile.memories) expect(said).toContain(words);
    before = version;
  }
});

it("lets one of two processes win that learn the same messages at once, and doubles nothing", async () => {
  const path = join(temporaryFolder(), "store.db");
  await linesOf(learner(path, 3));
  for (let round = 0; round < 4; round++) {
    const before = await whatIsKept(path);
    const store = await sqliteStore({ path });
    const timestamp = Date.now() / 1000;
    const conversation = crypto.randomUUID();
    const origin = { type: "record", kind: "origin", data: { proof: "p" }, timestamp } as never;
    const content = `The word of ${conversation} counts.`;
    await store.append({ conversation }, [origin, { type: "user", content, timestamp }]);
    await store.close();
    const both = [learner(path, 0), learner(path, 0)];
    let ready = 0;
    const lines = await Promise.all(
      both.map((one) =>
        linesOf(one, (line) => {
          if (line === "ready" && ++ready === both.length) for (const each of both) each.stdin?.write("go\n");
        }),
      ),
    );
    expect(lines.map((written) => written.at(-1)).sort()).toEqual(["learned 0", "learned 1"]);
    const { profile, version } = await whatIsKept(path);
    expect(version).toBe(before.version + 1);
    expect(profile.memories.filter(({ words }) => words === content)).toHaveLength(1);
  }
});
