import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRoot } from "../../src/files/confine/root.ts";
import { writeTool } from "../../src/files/write-tool.ts";
import { openUndo } from "../../src/undo.ts";
import { call } from "../call.ts";
import { contents, grounds } from "../grounds.ts";
import { drill } from "./drill.ts";
import { interfere } from "./interference.ts";
import { checkLaw } from "./law.ts";
import { key } from "./task.ts";
import { checkTreeLaw } from "./tree-law.ts";

// `pnpm soak` kills processes and lets a person write at every point.
describe("a task and its undo", () => {
  it("leave each file old or new when their process is killed, and every file can be restored", async () => {
    for (const point of [9, 33, 71]) expect(await drill("work", point, "here")).toBe(true);
    for (const point of [24, 47]) expect(await drill("undo", point, "here")).toBe(true);
    expect(await drill("work", 50, "process")).toBe(true);
  });

  it("of commands can be undone wherever their process is killed, and so can an undo that is cut off", async () => {
    for (const point of [3, 12, 17, 22, 26, 31]) expect(await drill("commands", point, "here")).toBe(true);
    for (const point of [5, 20, 40]) expect(await drill("undo of commands", point, "here")).toBe(true);
    expect(await drill("commands", 20, "process")).toBe(true);
    expect(await drill("undo of commands", 30, "process")).toBe(true);
  });

  it("give a random tree back exactly after random commands", () => checkTreeLaw({ numRuns: 100, seed: 2026 }));

  it("lose nothing that a person writes meanwhile", async () => {
    for (const point of [11, 16, 21, 24]) expect(await interfere(point)).toBe(true);
  });

  it("follow the law of undo with a person's changes in between", () => checkLaw({ numRuns: 8, seed: 2026 }));

  const ground = grounds();

  it("change nothing outside, while a folder is constantly swapped for a link to the outside", async () => {
    const folder = join(ground.root, "swap");
    await mkdir(folder);
    const undo = openUndo({ folder: join(ground.outside, "..", "copies") });
    const root = await openRoot(ground.root, { access: "project" });
    const write = writeTool(root, { undo });
    await writeFile(join(folder, "changed.txt"), "before");
    for (const file of ["swap/changed.txt", "swap/created.txt"]) {
      await call(write, { file, content: "agent", overwrite: true });
      // The same content stands outside, where an undo would take it for the agent's own.
      await writeFile(join(ground.outside, file.slice(5)), "agent");
    }
    const before = await contents(ground.outside);
    const [first] = await undo.entries(key);
    const swapping = fork(new URL("../swap.mjs", import.meta.url), [folder, ground.outside]);
    const gone = once(swapping, "exit");
    await once(swapping, "message");
    const restored = new Set<string>();
    for (let round = 0; round < 40; round += 1) {
      const undone = await undo.undo(key, { from: first?.id ?? "" });
      for (const { file } of undone.restored) restored.add(file);
    }
    swapping.disconnect();
    await gone;
    if (root.anchor === "descriptor") expect(await contents(ground.outside)).toEqual(before);
    await undo.undo(key, { from: first?.id ?? "" });
    expect(await contents(folder)).toEqual({ "changed.txt": "before" });
  });
});
