import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../../test/call.ts";
import { contents, grounds } from "../../../test/grounds.ts";
import { editTool } from "../edit-tool.ts";
import { findTool } from "../find-tool.ts";
import { listTool } from "../list-tool.ts";
import { readTool } from "../read-tool.ts";
import { replaceTool } from "../replace-tool.ts";
import { writeTool } from "../write-tool.ts";
import { openRoot } from "./root.ts";

describe("the tools, while a folder is constantly swapped for a link to the outside", () => {
  const ground = grounds();
  const rounds = 100;

  /** Another process swaps `root/swap` and `outside` while `work` runs. Afterwards the real folder is back. */
  async function whileSwapped(work: () => Promise<void>): Promise<void> {
    const folder = join(ground.root, "swap");
    await mkdir(folder);
    await writeFile(join(folder, "secret.txt"), "harmless");
    const swapping = fork(new URL("../../../test/swap.mjs", import.meta.url), [folder, ground.outside]);
    const gone = once(swapping, "exit");
    await once(swapping, "message");
    await work();
    swapping.disconnect();
    await gone;
  }

  /** The result of a call, or undefined if it was refused. */
  const attempt = (given: Promise<unknown>) => given.catch(() => undefined);

  it("never read a file outside, where the system can reach files through an open folder", async () => {
    const root = await openRoot(ground.root, { access: "project" });
    const read = readTool(root);
    const seen = new Set<unknown>();
    await whileSwapped(async () => {
      for (let round = 0; round < rounds; round += 1) {
        for (const text of await Promise.all(
          Array.from({ length: 4 }, () => attempt(call(read, { file: "swap/secret.txt" }))),
        )) {
          seen.add(text);
        }
      }
    });
    expect(await call(read, { file: "swap/secret.txt" })).toBe("harmless");
    seen.delete(undefined);
    seen.delete("harmless");
    if (root.anchor === "descriptor") expect([...seen]).toEqual([]);
  });

  it("never show names or lines from outside, and change nothing there", async () => {
    const root = await openRoot(ground.root, { access: "project" });
    const [write, list, find] = [writeTool(root), listTool(root), findTool(root)];
    const [edit, replace] = [editTool(root), replaceTool(root)];
    await writeFile(join(ground.outside, "outside-only.txt"), "OUTSIDE");
    const before = await contents(ground.outside);
    const seen: unknown[] = [];
    await whileSwapped(async () => {
      for (let round = 0; round < rounds; round += 1) {
        const given = await Promise.all([
          attempt(call(write, { file: `swap/new-${round}.txt`, content: "mine" })),
          attempt(call(write, { file: `swap/folder/${round}/new.txt`, content: "mine" })),
          attempt(call(write, { file: "swap/secret.txt", content: "mine", overwrite: true })),
          attempt(call(edit, { file: "swap/secret.txt", edits: [{ old: "SECRET", new: "edited" }] })),
          attempt(call(edit, { file: "swap/secret.txt", edits: [{ old: "mine", new: "minded" }] })),
          attempt(call(replace, { path: "swap", find: "SECRET", with: "replaced" })),
          attempt(call(list, { path: ".", depth: 3 })),
          attempt(call(list, { path: "swap" })),
          attempt(call(find, { path: "swap", content: "OUTSIDE" })),
          attempt(call(find, { pattern: "outside-only.*" })),
        ]);
        seen.push(...given);
      }
    });
    if (root.anchor === "descriptor") expect(await contents(ground.outside)).toEqual(before);
    expect(await contents(ground.outside)).toMatchObject(before);
    expect(JSON.stringify(seen)).not.toContain("outside-only");
    expect(await call(write, { file: "swap/last.txt", content: "mine" })).toMatchObject({ bytes: 4 });
  });
});
