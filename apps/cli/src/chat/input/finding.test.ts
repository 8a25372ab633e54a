import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { FileIndex } from "./file-index.ts";
import { pastedPicture } from "./pasted-picture.ts";
import { foundPrompt } from "./prompt-history.ts";
import { rankedPaths } from "./ranked-paths.ts";

function folderWith(...names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "cogency-finding-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of names) writeFileSync(join(folder, name), "");
  return folder;
}

it("23: the search finds the latest prompt with the words, and the next one before it", () => {
  const prompts = ["fix the test", "read notes", "Fix the build"];
  expect(foundPrompt({ words: "fix", skip: 0 }, prompts)).toBe("Fix the build");
  expect(foundPrompt({ words: "fix", skip: 1 }, prompts)).toBe("fix the test");
  expect(foundPrompt({ words: "nothing", skip: 0 }, prompts)).toBeUndefined();
});

it("25: paths are found by their beginning, their name, a part, and their letters in order", () => {
  const paths = ["docs/", "docs/main.md", "src/", "src/main.ts", "src/deep/remain.ts", "src/my-app/index.ts"];
  expect(rankedPaths("src/ma", paths, 10)[0]).toBe("src/main.ts");
  expect(rankedPaths("main", paths, 3)).toEqual(["src/main.ts", "docs/main.md", "src/deep/remain.ts"]);
  expect(rankedPaths("smai", paths, 10)).toContain("src/my-app/index.ts");
  expect(rankedPaths("xyz", paths, 10)).toEqual([]);
});

it("25: files that git ignores are not completed", async () => {
  const folder = folderWith("kept.ts", "left-out.log");
  writeFileSync(join(folder, ".gitignore"), "*.log\n");
  const paths = await new FileIndex(folder).paths();
  expect(paths).toContain("kept.ts");
  expect(paths).not.toContain("left-out.log");
});

it("a pasted path of a picture becomes a mention of it, however the terminal writes it", () => {
  const folder = folderWith("my picture.png", "plain.png");
  const spaced = join(folder, "my picture.png");
  expect(pastedPicture(join(folder, "plain.png"))).toBe(`@${join(folder, "plain.png")}`);
  expect(pastedPicture(`'${spaced}' `)).toBe(`@"${spaced}"`);
  expect(pastedPicture(spaced.replace(" ", "\\ "))).toBe(`@"${spaced}"`);
  expect(pastedPicture(`file://${spaced.replace(" ", "%20")}`)).toBe(`@"${spaced}"`);
  expect(pastedPicture(join(folder, "missing.png"))).toBeUndefined();
  expect(pastedPicture("see plain.png")).toBeUndefined();
});
