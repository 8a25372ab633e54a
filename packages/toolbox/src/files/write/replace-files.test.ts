import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contents, grounds } from "../../../test/grounds.ts";
import { openRoot } from "../confine/root.ts";
import { type FileChange, replaceFiles } from "./replace-files.ts";

describe("replaceFiles", () => {
  const ground = grounds();
  const replace = async (changes: FileChange[], signal = new AbortController().signal) =>
    replaceFiles(await openRoot(ground.root, { access: "project" }), changes, signal);

  /** Creates files in two folders and returns a change for each. */
  async function changes(count: number): Promise<FileChange[]> {
    const folders = ["one", "two"].map((name) => join(ground.root, name));
    for (const folder of folders) await mkdir(folder, { recursive: true });
    const made = Array.from({ length: count }, (_, index) => ({
      folder: folders[index % 2] ?? "",
      name: `${index}.txt`,
      before: `before ${index}`,
      after: `after ${index}`,
    }));
    for (const { folder, name, before } of made) await writeFile(join(folder, name), before);
    return made;
  }

  it("changes all files, keeps their modes and leaves no temporary file", async () => {
    const made = await changes(5);
    await chmod(join(ground.root, "one", "0.txt"), 0o604);
    await replace(made);
    expect(await contents(join(ground.root, "one"))).toEqual({
      "0.txt": "after 0",
      "2.txt": "after 2",
      "4.txt": "after 4",
    });
    expect(await contents(join(ground.root, "two"))).toEqual({ "1.txt": "after 1", "3.txt": "after 3" });
    expect((await stat(join(ground.root, "one", "0.txt"))).mode & 0o777).toBe(0o604);
  });

  it("restores the changed files when one file no longer holds the expected text", async () => {
    const made = await changes(6);
    await writeFile(join(ground.root, "two", "3.txt"), "theirs");
    const before = await contents(ground.root);
    await expect(replace(made)).rejects.toMatchObject({
      code: "path_changed",
      path: "two/3.txt",
      message: expect.stringContaining("No file was changed."),
    });
    expect(await contents(ground.root)).toEqual(before);
  });

  it("restores the same files, with all their hard links", async () => {
    const made = await changes(2);
    const { ino } = await stat(join(ground.root, "one", "0.txt"));
    await writeFile(join(ground.root, "two", "1.txt"), "theirs");
    await replace(made).catch(() => {});
    expect(await stat(join(ground.root, "one", "0.txt"))).toMatchObject({ ino, nlink: 1 });
  });

  it("changes nothing when a file is gone or its folder has become a link", async () => {
    const made = await changes(2);
    const before = await contents(ground.root);
    for (const folder of [join(ground.root, "link-folder"), join(ground.root, "none")]) {
      const change = { folder, name: "secret.txt", before: "SECRET", after: "mine" };
      await expect(replace([...made, change])).rejects.toMatchObject({ name: "ToolboxError" });
    }
    expect(await contents(ground.root)).toEqual(before);
    expect(await readFile(join(ground.outside, "secret.txt"), "utf8")).toBe("SECRET");
  });

  it("changes nothing once its signal has aborted", async () => {
    const made = await changes(2);
    const before = await contents(ground.root);
    await expect(replace(made, AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
    expect(await contents(ground.root)).toEqual(before);
  });
});
