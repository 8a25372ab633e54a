import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../../test/call.ts";
import { contents, grounds } from "../../../test/grounds.ts";
import { editTool } from "../edit-tool.ts";
import { readTool } from "../read-tool.ts";
import { replaceTool } from "../replace-tool.ts";
import { writeTool } from "../write-tool.ts";
import { openRoot } from "./root.ts";

describe("the tools, with a .git folder", () => {
  const ground = grounds();

  it.each([
    ".git/config",
    ".git/hooks/pre-commit",
    ".GIT/config",
    ".git",
    "src/.git/config",
    "alias/config",
    "src/../.git/config",
    ".git /config",
    ".git./config",
    "git~1/config",
    ".git::$INDEX_ALLOCATION/config",
    ".g\u200cit/config",
  ])("refuse to change %j", async (file) => {
    await mkdir(join(ground.root, ".git"));
    await writeFile(join(ground.root, ".git", "config"), "[core]\n");
    await symlink(".git", join(ground.root, "alias"));
    const root = await openRoot(ground.root, { access: "project" });
    const before = await contents(ground.root);
    const [write, edit, replace] = [writeTool(root), editTool(root), replaceTool(root)];
    const edits = [{ old: "[core]", new: "[core]\n\tfsmonitor = id" }];
    const refused = { name: "ToolboxError", code: "permission_denied", path: file };
    await expect(call(write, { file, content: "#!/bin/sh" })).rejects.toMatchObject(refused);
    await expect(call(write, { file, content: "#!/bin/sh", overwrite: true })).rejects.toMatchObject(refused);
    await expect(call(edit, { file, edits })).rejects.toMatchObject(refused);
    await expect(call(replace, { path: file, find: "core", with: "alias" })).rejects.toMatchObject(refused);
    for (const tool of [write, edit]) {
      await expect((async () => tool.resource?.({ file }))(), "before approval").rejects.toMatchObject(refused);
    }
    expect(await contents(ground.root)).toEqual(before);
  });

  it.each([".git", "linked/.git", ".GIT", ".git "])(
    "do not change %j in a replace of everything, also if it is the file of a linked work tree",
    async (name) => {
      const root = await openRoot(ground.root, { access: "project" });
      const git = join(ground.root, name);
      await mkdir(dirname(git), { recursive: true });
      await writeFile(git, "gitdir: /srv/worktrees/one\n");
      await mkdir(join(ground.root, "other", name), { recursive: true });
      await writeFile(join(ground.root, "other", name, "config"), "gitdir: /srv/worktrees/one\n");
      const before = await contents(ground.root);
      const replacing = call(replaceTool(root), { find: "/srv/worktrees/one", with: "evil", ignored: true });
      await expect(replacing).rejects.toMatchObject({ code: "no_match" });
      expect(await contents(ground.root)).toEqual(before);
    },
  );

  it("read files in it, and write files with similar names", async () => {
    const root = await openRoot(ground.root, { access: "project" });
    await mkdir(join(ground.root, ".git"));
    await writeFile(join(ground.root, ".git", "config"), "[core]\n");
    expect(await call(readTool(root), { file: ".git/config" })).toBe("[core]\n");
    for (const file of [".gitignore", ".github/workflow.yml", "git/a.txt", "a.git"]) {
      expect(await call(writeTool(root), { file, content: "x" })).toMatchObject({ created: true });
    }
  });
});
