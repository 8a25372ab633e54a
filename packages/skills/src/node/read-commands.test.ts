import { mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readCommands } from "./read-commands.ts";

let top = "";
beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "commands-")));
});
afterEach(() => rm(top, { recursive: true }));

async function put(path: string, text = "Do it."): Promise<void> {
  await mkdir(dirname(join(top, path)), { recursive: true });
  await writeFile(join(top, path), text);
}

const below = (path: string) => path.slice(top.length + 1);

describe("readCommands", () => {
  it("finds each Markdown file, named by its path", async () => {
    for (const path of ["a/zip.md", "a/team/fix.md", "a/team/deep/x.md", "a/notes.txt", "a/.hidden.md"])
      await put(path);
    const { commands, problems } = await readCommands([join(top, "a"), join(top, "missing")]);
    expect(problems).toEqual([]);
    expect(commands.map(({ name, file }) => [name, below(file)])).toEqual([
      ["team/deep/x", "a/team/deep/x.md"],
      ["team/fix", "a/team/fix.md"],
      ["zip", "a/zip.md"],
    ]);
  });

  it("tells which of two with one name is left out, and which has a name that is built in", async () => {
    for (const path of ["a/zip.md", "b/zip.md", "b/help.md"]) await put(path, path);
    const { commands, problems } = await readCommands([join(top, "a"), join(top, "b")], { reserved: ["help"] });
    expect(commands.map(({ text }) => text)).toEqual(["a/zip.md"]);
    expect(problems).toEqual([
      { code: "name_taken", file: join(top, "b/help.md"), line: 1, message: "/help is built in. Rename the file." },
      { code: "name_taken", file: join(top, "b/zip.md"), line: 1, message: expect.stringContaining("a/zip.md") },
    ]);
  });

  it("reads no device, no file without an end, and nothing that a link leads to outside", async () => {
    await put("outside/secret.md", "SECRET");
    await put("project/commands/ok.md");
    await put("project/commands/large.md");
    await truncate(join(top, "project/commands/large.md"), 1e12);
    await symlink("/dev/zero", join(top, "project/commands/zero.md"));
    await symlink("../../outside/secret.md", join(top, "project/commands/out.md"));
    await symlink("../../outside", join(top, "project/commands/folder"));
    await symlink(".", join(top, "project/commands/loop"));
    const { commands, problems } = await readCommands([join(top, "project/commands")], {
      within: join(top, "project"),
    });
    expect(commands.map(({ name }) => name)).toEqual(["ok"]);
    expect(problems.map(({ file, code }) => `${below(file)} ${code}`)).toEqual([
      "project/commands/large.md file_too_large",
      "project/commands/out.md file_unreadable",
      "project/commands/zero.md file_unreadable",
    ]);
    expect(JSON.stringify(problems)).not.toContain("secret");
  });

  it("finds nothing in a folder that is itself a link out of the project", async () => {
    await put("outside/fix.md");
    await mkdir(join(top, "project"));
    await symlink("../outside", join(top, "project/commands"));
    const found = await readCommands([join(top, "project/commands")], { within: join(top, "project") });
    expect(found).toEqual({ commands: [], problems: [] });
  });

  it("follows links of a person's own folders, and ends in a circle of them", async () => {
    await put("store/fix.md");
    await mkdir(join(top, "own"));
    await symlink("../store", join(top, "own/team"));
    await symlink(".", join(top, "own/loop"));
    const { commands } = await readCommands([join(top, "own")]);
    expect(commands.map(({ name }) => name)).toEqual(["team/fix"]);
  });

  it("ends in a folder of very many files", async () => {
    for (let index = 0; index < 600; index++) await put(`a/c${index}.md`);
    expect((await readCommands([join(top, "a")])).commands).toHaveLength(500);
  });
});
