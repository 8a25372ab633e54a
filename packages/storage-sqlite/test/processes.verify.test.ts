import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "../src/index.ts";
import { contentsOf } from "./support/samples.ts";
import { spawnScript } from "./support/spawn-script.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

describe("sqliteStore in several processes", () => {
  it("loses nothing, leaves no gap and never fails when eight processes create the database and work at once", async () => {
    const path = join(temporaryFolder(), "store.db");
    const names = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen"];
    const count = 50;
    const writers = names.map((name) => spawnScript("work-alongside.ts", path, name, String(count)));
    await Promise.all(writers.map((writer) => once(writer.stdout, "data")));
    const ends = writers.map((writer) => once(writer, "close"));
    for (const writer of writers) writer.stdin.end("go\n");
    expect(await Promise.all(ends)).toEqual(names.map(() => [0, null]));

    const store = await sqliteStore({ path });
    const shared = await store.load({ conversation: "shared" });
    expect(shared.map(({ seq }) => seq)).toEqual(Array.from({ length: names.length * count }, (_, index) => index + 1));
    for (const name of names) {
      const all = Array.from({ length: count }, (_, index) => `${name} ${index + 1}`);
      expect(contentsOf(shared).filter((content) => content.startsWith(`${name} `))).toEqual(all);
      expect(contentsOf(await store.load({ conversation: name }))).toEqual(all);
      expect(await store.loadProfile(name)).toEqual({ profile: { index: count }, version: count / 10 });
    }
    const summaries = await store.conversations();
    expect(Object.fromEntries(summaries.map(({ conversation, events }) => [conversation, events]))).toEqual({
      shared: names.length * count,
      ...Object.fromEntries(names.map((name) => [name, count])),
    });
    await store.close();
  });
});
