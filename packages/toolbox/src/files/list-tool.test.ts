import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../test/call.ts";
import { grounds } from "../../test/grounds.ts";
import { listTool } from "./list-tool.ts";
import { openRoot } from "./root.ts";

describe("list", () => {
  const ground = grounds();
  const list = async (args: { path?: string }) => call(listTool(await openRoot(ground.root)), args);

  it("gives sorted names, those of folders with a slash", async () => {
    expect(await list({ path: "src" })).toEqual({ path: "src", entries: ["deep/", "link-up", "main.ts"] });
  });

  it("lists the root when it is given no path", async () => {
    expect(await list({})).toMatchObject({ path: ".", entries: expect.arrayContaining(["config.json", "src/"]) });
    expect(await list({})).toEqual(await list({ path: "." }));
  });

  it("shows the real path of a folder that was reached through a link", async () => {
    expect(await list({ path: "inside-folder" })).toEqual(await list({ path: "src" }));
  });

  it("lists an empty folder", async () => {
    await mkdir(join(ground.root, "empty"));
    expect(await list({ path: "empty" })).toEqual({ path: "empty", entries: [] });
  });

  it("gives at most 500 names and says how many are left out", async () => {
    await mkdir(join(ground.root, "many"));
    const names = Array.from({ length: 507 }, (_, index) => String(index).padStart(3, "0"));
    await Promise.all(names.map((name) => writeFile(join(ground.root, "many", name), "")));
    expect(await list({ path: "many" })).toEqual({ path: "many", entries: names.slice(0, 500), truncated: 7 });
  });

  it("refuses a file, and a folder that does not exist with the nearest names", async () => {
    await expect(list({ path: "config.json" })).rejects.toMatchObject({ code: "not_a_folder" });
    await expect(list({ path: "scr" })).rejects.toThrow('Did you mean "src"?');
  });
});
