import { execFileSync } from "node:child_process";
import { mkdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../../test/call.ts";
import { contents, grounds } from "../../../test/grounds.ts";
import { editTool } from "../edit-tool.ts";
import { replaceTool } from "../replace-tool.ts";
import { writeTool } from "../write-tool.ts";
import { gitFolders } from "./git-folders.ts";
import { openRoot } from "./root.ts";

describe("the tools, with files that git takes its settings from", () => {
  const ground = grounds();
  const at = (path: string) => join(ground.root, path);
  const git = (...args: string[]) => {
    const settings = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"];
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
    execFileSync("git", [...settings, ...args], { cwd: ground.root, stdio: "ignore", env });
  };
  const put = async (path: string, text = "") => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
  };
  const commit = (folder: string) => git("-C", folder, "commit", "-q", "--allow-empty", "-m", "a");

  /** Each entry creates a repository, with paths that must not be changed and paths that may be. */
  const layouts: Record<string, [lay: () => Promise<void> | void, refused: string[], allowed: string[]]> = {
    "a folder of its own": [
      () => git("init", "-q", "--separate-git-dir", "meta", "src"),
      ["meta/config", "meta/hooks/post-checkout", "meta/info/attributes", "meta/new", "src/.git"],
      ["src/a.ts", "meta2/config"],
    ],
    "a bare clone with a .git file": [
      () => {
        git("init", "-q", "--bare", "store");
        return put("src/.git", "gitdir: ../store\n");
      },
      ["store/config", "store/hooks/pre-commit", "store/objects/info/alternates", "store/modules/x/config"],
      ["src/a.ts"],
    ],
    "a bare clone that nothing names": [
      () => git("init", "-q", "--bare", "src/deep/clone"),
      ["src/deep/clone/config", "src/deep/clone/HEAD", "src/deep/clone/hooks/x/y", "inside-folder/deep/clone/config"],
      ["src/deep/a.ts", "src/deep/clones/config"],
    ],
    "a linked .git": [
      async () => {
        git("init", "-q", "src");
        await rename(at("src/.git"), at("meta"));
        await symlink("../meta", at("src/.git"));
      },
      ["meta/config", "meta/hooks/x"],
      ["src/a.ts"],
    ],
    "a linked work tree": [
      () => {
        git("init", "-q", "--separate-git-dir", "meta", "main");
        commit("main");
        git("-C", "main", "worktree", "add", "-q", at("tree"));
      },
      ["meta/worktrees/tree/config.worktree", "meta/worktrees/tree/commondir", "meta/config", "tree/.git"],
      ["tree/a.ts", "main/a.ts"],
    ],
    "a work tree in the bare clone that it belongs to": [
      () => {
        git("init", "-q", "from");
        commit("from");
        git("clone", "-q", "--bare", "from", "store");
        git("-C", "store", "worktree", "add", "-q", at("store/main"));
      },
      ["store/config", "store/hooks/x", "store/worktrees/main/config", "store/main/.git"],
      ["store/main/a.ts", "store/main/src/a.ts"],
    ],
    "a submodule": [
      () => {
        git("init", "-q", "from");
        commit("from");
        git("init", "-q", "--separate-git-dir", "meta", ".");
        git("submodule", "add", "-q", at("from"), "sub");
      },
      ["meta/modules/sub/config", "meta/modules/sub/hooks/x", "sub/.git"],
      ["sub/a.ts", "docs/a.md"],
    ],
    "a shared folder without a HEAD": [
      async () => {
        for (const [path, text] of Object.entries({
          "src/.git": "gitdir: ../meta\n",
          "meta/HEAD": "ref: refs/heads/a\n",
          "meta/commondir": "../shared\n",
        })) {
          await put(path, text);
        }
      },
      ["meta/config", "meta/commondir"],
      ["src/a.ts", "shared2/config"],
    ],
    "a folder that a .git above it names": [
      () => put(".git", "gitdir: notes\n"),
      ["notes/config", "notes/a"],
      ["note/config"],
    ],
  };

  it.each(Object.entries(layouts))("refuse to change them: %s", async (_, [lay, refused, allowed]) => {
    await lay();
    const root = await openRoot(ground.root, { access: "project" });
    const before = await contents(ground.root);
    for (const file of refused) {
      const edits = [{ old: "[core]", new: "[core]\n\tfsmonitor = id" }];
      const denied = { code: "permission_denied" };
      for (const args of [
        { file, content: "x" },
        { file, content: "x", overwrite: true },
      ]) {
        await expect(call(writeTool(root), args), file).rejects.toMatchObject(denied);
      }
      await expect(call(editTool(root), { file, edits }), file).rejects.toMatchObject(denied);
      await expect((async () => writeTool(root).resource?.({ file }))(), "before approval").rejects.toMatchObject(
        denied,
      );
    }
    const everything = call(replaceTool(root), { find: "[core]", with: "[core]\n\tfsmonitor = id", ignored: true });
    await expect(everything).rejects.toMatchObject({ code: "no_match" });
    expect(await contents(ground.root)).toEqual(before);
    for (const file of allowed) {
      expect(await call(writeTool(root), { file, content: "x" }), file).toMatchObject({ created: true });
    }
  });

  it.each([
    [
      ["objects/a", "refs/a"],
      ["HEAD", "config"],
    ],
    [
      ["HEAD", "config", "objects/a"],
      ["refs/a", "Refs/heads/a"],
    ],
    [["HEAD", "refs/a"], ["objects/a"]],
    [["HEAD"], ["commondir"]],
    [["commondir"], ["HEAD"]],
  ])("refuse to make a repository piece by piece: beside %j they refuse %j", async (pieces, last) => {
    const root = await openRoot(ground.root, { access: "project" });
    const write = (file: string) => call(writeTool(root), { file: `made/${file}`, content: "ref: refs/heads/a" });
    for (const piece of pieces) expect(await write(piece)).toMatchObject({ created: true });
    for (const piece of last) {
      await expect(write(piece), piece).rejects.toMatchObject({ code: "permission_denied" });
    }
    expect(await write("other")).toMatchObject({ created: true });
  });

  it("report all folders that git would use, in the root and above it, by gitFolders", async () => {
    git("init", "-q", "--separate-git-dir", "meta", ".");
    git("init", "-q", "src/inner");
    git("init", "-q", "--bare", "src/deep/clone");
    await put("linked/.git", `gitdir: ${ground.outside}\n`);
    const folders = await gitFolders({ base: ground.root });
    const inside = ["linked/.git", "meta", "src/deep/clone", "src/inner/.git", ".git"].map(at);
    expect(folders).toEqual([...inside, ground.outside].sort());
    expect(await gitFolders({ base: at("src/deep") })).toEqual([at(".git"), at("meta"), at("src/deep/clone")].sort());
  });

  it("do not read a file that a hostile .git names if git would not accept it", async () => {
    await put("src/.git", `gitdir: ${"x".repeat(100_000)}`);
    const root = await openRoot(ground.root, { access: "project" });
    await call(writeTool(root), { file: "src/a.txt", content: "x" });
    expect(await readFile(at("src/a.txt"), "utf8")).toBe("x");
  });
});
