import { link, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../../test/call.ts";
import { contents, grounds } from "../../../test/grounds.ts";
import { toolbox } from "../../toolbox.ts";
import { editTool } from "../edit-tool.ts";
import { readTool } from "../read-tool.ts";
import { replaceTool } from "../replace-tool.ts";
import { writeTool } from "../write-tool.ts";
import { openRoot, type Root } from "./root.ts";

describe("the configuration of the program", () => {
  const ground = grounds();
  const at = (path: string) => join(ground.root, path);
  const put = async (path: string, text: string) => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
  };

  it.each([
    ".cogency/config.json",
    ".cogency/new/deep.json",
    ".cogency",
    "x/y/.cogency/config.json",
    "src/deep/.cogency",
    ".Cogency/config.json",
    ".COGENCY/rules.json",
    ".cog\u200cency/config.json",
    ".cogency /config.json",
    ".cogency./config.json",
    ".cogency::$INDEX_ALLOCATION/config.json",
    "src/../.cogency/config.json",
    "alias/config.json",
  ])("is not changed or made by a tool, before anybody is asked: %j", async (file) => {
    await put(".cogency/config.json", "person");
    await symlink(".cogency", at("alias"));
    const root = await openRoot(ground.root, { access: "project" });
    const before = await contents(ground.root);
    const refused = { name: "ToolboxError", code: "permission_denied", path: file };
    const edits = [{ old: "person", new: "evil" }];
    const [write, edit, replace] = [writeTool(root), editTool(root), replaceTool(root)];
    await expect(call(write, { file, content: "evil" })).rejects.toMatchObject(refused);
    await expect(call(write, { file, content: "evil", overwrite: true })).rejects.toMatchObject(refused);
    await expect(call(edit, { file, edits })).rejects.toMatchObject(refused);
    await expect(call(replace, { path: file, find: "person", with: "evil" })).rejects.toMatchObject(refused);
    await expect((async () => write.resource?.({ file, content: "" }))()).rejects.toMatchObject(refused);
    expect(await contents(ground.root)).toEqual(before);
  });

  it("is read, and left out of a replacement of everything", async () => {
    for (const file of [".cogency/config.json", "x/.cogency/rules.json", "a.txt"]) await put(file, "person");
    const root = await openRoot(ground.root, { access: "project" });
    expect(await call(readTool(root), { file: ".cogency/config.json" })).toBe("person");
    const replaced = await call(replaceTool(root), { find: "person", with: "model", ignored: true });
    expect(replaced).toMatchObject({ files: [{ file: "a.txt" }], total: 1 });
  });

  it("does not include the folder of a sandbox root, nor files with similar names", async () => {
    const root = await openRoot(ground.root);
    expect(await call(writeTool(root), { file: "a.txt", content: "x" })).toMatchObject({ created: true });
    const project = await openRoot(ground.root, { access: "project" });
    for (const file of ["cogency/a.txt", ".cogency.md", "x.cogency"]) {
      expect(await call(writeTool(project), { file, content: "x" })).toMatchObject({ created: true });
    }
  });

  it("and the instructions have the names that the host gives", async () => {
    const [write] = await toolbox({
      root: ground.root,
      access: "project",
      include: ["write"],
      config: [".app"],
      instructions: ["RULES.txt"],
    });
    if (write === undefined) throw new Error("no tool");
    await expect(call(write, { file: "x/.app/a", content: "" })).rejects.toMatchObject({ code: "permission_denied" });
    expect(await write.cautions?.({ file: "x/rules.txt", content: "" })).toEqual([
      expect.stringContaining("agents obey"),
    ]);
    await expect(openRoot(ground.root, { config: ["a/b"] })).rejects.toMatchObject({ code: "path_invalid" });
    await expect(openRoot(ground.root, { instructions: [".."] })).rejects.toMatchObject({ code: "path_invalid" });
  });

  describe("and instructions", () => {
    const cautions = async (root: Root, file: string) =>
      (await writeTool(root).cautions?.({ file, content: "x" })) ?? [];

    it.each(["AGENTS.md", "x/y/AGENTS.md", "agents.md", "x/AGENTS.MD"])("ask before a change of %j", async (file) => {
      expect(await cautions(await openRoot(ground.root, { access: "project" }), file)).toHaveLength(1);
    });

    it("ask before a change of the file that a link with their name leads to", async () => {
      await put("docs/team.md", "person");
      await symlink("docs/team.md", at("AGENTS.md"));
      const root = await openRoot(ground.root, { access: "project" });
      expect(await cautions(root, "docs/team.md")).toEqual([expect.stringContaining("agents obey")]);
      expect(await cautions(root, "docs/other.md")).toEqual([]);
    });

    it("keep their content when another name of the same file is written", async () => {
      await put("AGENTS.md", "person");
      await link(at("AGENTS.md"), at("other.md"));
      const root = await openRoot(ground.root, { access: "project" });
      await call(writeTool(root), { file: "other.md", content: "evil", overwrite: true });
      expect(await call(readTool(root), { file: "AGENTS.md" })).toBe("person");
    });
  });
});
