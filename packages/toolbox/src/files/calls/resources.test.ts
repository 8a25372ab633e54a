import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createExecutor, createRegistry, defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { grounds } from "../../../test/grounds.ts";
import { openRoot } from "../confine/root.ts";
import { editTool } from "../edit-tool.ts";
import { replaceTool } from "../replace-tool.ts";
import { writeTool } from "../write-tool.ts";

describe("the resources of a call", () => {
  const ground = grounds();
  const at = (path: string) => join(ground.root, path);
  const open = () => openRoot(ground.root, { access: "project" });
  const long = `docs/${"a-long-folder-name/".repeat(6)}notes.md/${"../".repeat(8)}`;

  it.each([
    [`${long}config.json`, "config.json"],
    ["inside-folder/deep/../main.ts", "src/main.ts"],
    ["inside-file", "config.json"],
    ["inside-folder/new/a.ts", "src/new/a.ts"],
    ["./src//main.ts", "src/main.ts"],
  ])("hold the real path of the file for %j", async (file, real) => {
    const root = await open();
    const edits = [{ old: "a", new: "b" }];
    expect(await writeTool(root).resource?.({ file, content: "", overwrite: true })).toContain(`file:${at(real)}`);
    expect(await editTool(root).resource?.({ file, edits })).toContain(`file:${at(real)}`);
  });

  it("hold the real path of every file that a replace would change", async () => {
    await writeFile(at("src/a.ts"), "needle");
    await writeFile(at("src/deep/b.ts"), "needle");
    const keys = await replaceTool(await open()).resource?.({ find: "needle", with: "x", path: "inside-folder" });
    expect([keys].flat().filter((key) => key?.startsWith("file:"))).toEqual([
      `file:${at("src/a.ts")}`,
      `file:${at("src/deep/b.ts")}`,
    ]);
    const nothing = await replaceTool(await open()).resource?.({ find: "no such text", with: "x", path: "." });
    expect([nothing].flat().filter((key) => key?.startsWith("file:"))).toEqual([]);
  });

  it.each(["write", "edit"])(
    "are all that %s changes: if the path leads elsewhere by then, it changes nothing",
    async (name) => {
      const root = await open();
      await mkdir(at("docs"));
      await mkdir(at(".husky"));
      for (const folder of ["docs", ".husky"]) await writeFile(at(`${folder}/a`), "old");
      const relink = defineTool({
        name: "relink",
        description: "Does what an approved program may do.",
        input: { type: "object", properties: {}, additionalProperties: false },
        resource: () => `folder:${ground.root}`,
        execute: async () => {
          await rm(at("docs"), { recursive: true });
          await symlink(".husky", at("docs"));
        },
      });
      const registry = createRegistry([writeTool(root), editTool(root), relink]);
      const executor = createExecutor({ registry, approval: { policy: () => "allow" } });
      const args = name === "write" ? { content: "new", overwrite: true } : { edits: [{ old: "old", new: "new" }] };
      const calls = [
        { name: "relink", args: {} },
        { name, args: { file: "docs/a", ...args } },
      ];
      const [, changed] = await executor.run(calls, { conversation: "c" });
      expect(changed?.error).toMatchObject({ code: "path_changed" });
      expect(await readFile(at(".husky/a"), "utf8")).toBe("old");
    },
  );
});
