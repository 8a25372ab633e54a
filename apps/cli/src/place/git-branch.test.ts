import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { gitBranch } from "./git-branch.ts";

function folder(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "cogency-branch-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

it.each<[string, Readonly<Record<string, string>>, string, string | undefined]>([
  ["a branch", { ".git/HEAD": "ref: refs/heads/main\n" }, ".", "main"],
  ["a branch with a path", { ".git/HEAD": "ref: refs/heads/feature/new-cart\n" }, ".", "feature/new-cart"],
  ["a folder inside", { ".git/HEAD": "ref: refs/heads/main\n", "src/deep/a.ts": "" }, "src/deep", "main"],
  ["a commit", { ".git/HEAD": `${"0123456789".repeat(4)}\n` }, ".", "01234567"],
  [
    "a worktree",
    { "tree/.git": "gitdir: ../own/worktrees/tree\n", "own/worktrees/tree/HEAD": "ref: refs/heads/fix" },
    "tree",
    "fix",
  ],
  ["a folder that only looks like one", { ".git": "something else" }, ".", undefined],
  ["a HEAD that is something else", { ".git/HEAD": "secret words\n" }, ".", undefined],
  ["a .git without HEAD", { ".git/config": "" }, ".", undefined],
])("reads the branch of %s", (_, files, inside, branch) => {
  expect(gitBranch(join(folder(files), inside))).toBe(branch);
});

it("waits for nothing, whatever a cloned folder has in the place of HEAD", () => {
  const root = folder({ ".git/config": "" });
  const head = join(root, ".git/HEAD");
  execFileSync("mkfifo", [head]);
  expect(gitBranch(root)).toBeUndefined();
  rmSync(head);
  symlinkSync("/dev/zero", head);
  expect(gitBranch(root)).toBeUndefined();
});
