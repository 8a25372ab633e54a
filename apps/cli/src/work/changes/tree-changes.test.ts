import { execFileSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { changeText, diffLinesOf } from "./changed-file.ts";
import { filesIn, treeChanges } from "./tree-changes.ts";

it("has each file with what became of it, its counts and its lines", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cogency-changes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const put = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: folder });
  put("a.txt", "one\ntwo\n");
  put("gone.txt", "gone\n");
  put("old name.txt", "1\n2\n3\n4\n5\n6\n");
  put("picture.png", Buffer.from([0, 1, 2]));
  put("empty.txt", "x");
  git("init", "--quiet");
  git("add", "-A");
  git("commit", "--quiet", "-m", "first");
  put("a.txt", "one\n2\nthree\n");
  rmSync(join(folder, "gone.txt"));
  renameSync(join(folder, "old name.txt"), join(folder, "new name.txt"));
  git("add", "-A");
  put("picture.png", Buffer.from([0, 1, 3]));
  put("-- x.txt", "-- a\n++ b\n");
  put("empty.txt", "");
  const { files, since, notes } = await treeChanges(folder);
  expect(since).toBe("since the last commit");
  expect(notes).toEqual([]);
  expect(files.map((file) => `${file.file}: ${changeText(file)}`)).toEqual([
    "-- x.txt: created, +2",
    "a.txt: changed, +2 −1",
    "empty.txt: changed, −1",
    "gone.txt: deleted, −1",
    "new name.txt: renamed",
    "picture.png: changed",
  ]);
  expect(diffLinesOf(files.slice(1, 2))).toEqual(["@ a.txt", "@@ -1,2 +1,3 @@", " one", "-two", "+2", "+three"]);
  expect(files.at(-1)?.lines).toEqual(["It is no text."]);
});

it("has nothing of a text that is no diff", () => {
  expect(filesIn("")).toEqual([]);
  expect(filesIn("warning: something\n")).toEqual([]);
});

it.each(["\r", "\u2028", "\u2029"])(
  "takes no line for that of another file that a line of a file holds after %j",
  (end) => {
    const forged = `${end}diff --git a/README.md b/README.md${end}--- a/README.md${end}+++ b/README.md${end}@@ -1 +1 @@`;
    const diff = `diff --git a/evil.sh b/evil.sh\n--- a/evil.sh\n+++ b/evil.sh\n@@ -1 +1,2 @@\n-a\n+x${forged}\n+rm -rf .\n`;
    expect(filesIn(diff).map((file) => `${file.file}: ${changeText(file)}`)).toEqual(["evil.sh: changed, +2 −1"]);
  },
);

it("says outside of a repository that there is none", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cogency-changes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await expect(treeChanges(folder)).rejects.toThrow("The folder is in no git repository");
});
