import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packages } from "../packages.ts";
import { filesUnder } from "../report/files.ts";
import { workspaceRoot } from "../workspace.ts";
import { roomViolationsOf } from "./rooms.ts";

const withRooms = Object.entries(packages).flatMap(([path, { rooms }]) => (rooms ? [{ path, rooms }] : []));

describe.each(withRooms)("the rooms of $path", ({ path, rooms }) => {
  const folder = join(workspaceRoot, path, "src");
  const files = filesUnder(folder).filter((file) => /(?<!\.test|\.test-d)\.tsx?$/.test(file));

  it("import only what their table lists", () => {
    const found = files.flatMap((file) => roomViolationsOf(file, readFileSync(join(folder, file), "utf8"), rooms));
    expect(found).toEqual([]);
  });

  it("are all there, and each stands below what it imports", () => {
    const names = Object.keys(rooms);
    expect(new Set(files.flatMap((file) => file.split("/").slice(0, -1).slice(0, 1)))).toEqual(new Set(names));
    for (const [at, name] of names.entries())
      expect(names.slice(0, at)).toEqual(expect.arrayContaining([...(rooms[name] ?? [])]));
  });

  it("stand in packages/README.md with what they import", () => {
    const page = readFileSync(join(workspaceRoot, "packages/README.md"), "utf8");
    const rows = Array.from(page.matchAll(/^\| `(\w+)` \| .* \| ([^|]*) \|$/gm), ([, name, list = ""]) => [name, list]);
    const table = Object.entries(rooms).map(([name, list]) => [name, list.join(", ") || "no other"]);
    expect(rows.filter(([name = ""]) => name in rooms)).toEqual(table);
  });
});

describe("the check of rooms", () => {
  const rooms = { base: [], work: ["base"] };

  it.each([
    ["base/a.ts", 'import { b } from "./b.ts";'],
    ["work/a.ts", 'import { b } from "../base/b.ts";'],
    ["work/a.ts", 'import { version } from "../../package.json";'],
    ["main.ts", 'import { a } from "./work/a.ts";'],
  ])("allows what is in a room, in one of its list, or outside of the sources: %s %s", (path, text) => {
    expect(roomViolationsOf(path, text, rooms)).toEqual([]);
  });

  it.each([
    ["base/a.ts", 'import type { B } from "../work/b.ts";', "base/a.ts:1 imports work/b.ts"],
    ["base/deep/a.ts", 'await import("../../work/b.ts");', "base/deep/a.ts:1 imports work/b.ts"],
    ["work/a.ts", 'export * from "../main.ts";', "work/a.ts:1 imports main.ts"],
    ["attic/a.ts", "", "the room attic is not in the table"],
  ])("names what breaks the table: %s %s", (path, text, problem) => {
    expect(roomViolationsOf(path, text, rooms)).toEqual([expect.stringContaining(problem)]);
  });
});
