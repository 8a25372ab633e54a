import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSkills } from "./read-skills.ts";

let top = "";
beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "skills-")));
});
afterEach(() => rm(top, { recursive: true }));

const textOf = (name: string, text = "Do it.") => `---\nname: ${name}\ndescription: Does ${name}.\n---\n${text}\n`;

async function skill(place: string, name: string, text = textOf(name)) {
  await mkdir(join(top, place, name), { recursive: true });
  await writeFile(join(top, place, name, "SKILL.md"), text);
}

const read = (...places: string[]) => readSkills(places.map((place) => join(top, place)));

describe("readSkills", () => {
  it("finds each folder with a SKILL.md, with the files beside it", async () => {
    await skill("a", "zip");
    await skill("a", "review");
    await mkdir(join(top, "a/review/scripts/deep"), { recursive: true });
    await writeFile(join(top, "a/review/scripts/deep/x.sh"), "");
    await writeFile(join(top, "a/review/.hidden"), "");
    await writeFile(join(top, "a/notes.md"), "");
    await mkdir(join(top, "a/no-skill"));
    const { skills, problems } = await read("a", "missing");
    expect(problems).toEqual([]);
    expect(skills).toMatchObject([
      {
        name: "review",
        folder: join(top, "a/review"),
        file: join(top, "a/review/SKILL.md"),
        files: ["scripts/deep/x.sh"],
      },
      { name: "zip", files: [] },
    ]);
  });

  it("tells which of two with one name is left out", async () => {
    await skill("a", "zip", textOf("zip", "First."));
    await skill("b", "zip", textOf("zip", "Second."));
    const { skills, problems } = await read("a", "b");
    expect(skills.map(({ text }) => text)).toEqual(["First."]);
    expect(problems).toMatchObject([
      {
        code: "name_taken",
        file: join(top, "b/zip/SKILL.md"),
        message: expect.stringContaining(join(top, "a/zip/SKILL.md")),
      },
    ]);
  });

  it("names the file and the line of a fault, and reads the rest", async () => {
    await skill("a", "bad", textOf("other"));
    await skill("a", "good");
    const { skills, problems } = await read("a");
    expect(skills.map(({ name }) => name)).toEqual(["good"]);
    expect(problems).toMatchObject([{ code: "field_invalid", line: 2, file: join(top, "a/bad/SKILL.md") }]);
  });

  it("never blocks, and reads no device, no folder and no file without an end", async () => {
    for (const name of ["pipe", "large", "folder", "zero", "loop"])
      await mkdir(join(top, "a", name), { recursive: true });
    execFileSync("mkfifo", [join(top, "a/pipe/SKILL.md")]);
    await writeFile(join(top, "a/large/SKILL.md"), "");
    await truncate(join(top, "a/large/SKILL.md"), 1e12);
    await mkdir(join(top, "a/folder/SKILL.md"));
    await symlink("/dev/zero", join(top, "a/zero/SKILL.md"));
    await symlink("SKILL.md", join(top, "a/loop/SKILL.md"));
    const { skills, problems } = await read("a");
    expect(skills).toEqual([]);
    expect(problems.map(({ file, code }) => `${file.slice(top.length + 3)} ${code}`)).toEqual([
      "folder/SKILL.md file_unreadable",
      "large/SKILL.md file_too_large",
      "loop/SKILL.md file_unreadable",
      "pipe/SKILL.md file_unreadable",
      "zero/SKILL.md file_unreadable",
    ]);
  });

  it("reads nothing that a link leads to outside of the folder that it must stay within", async () => {
    await skill("outside", "zip");
    await mkdir(join(top, "project/skills"), { recursive: true });
    await symlink(join(top, "outside/zip"), join(top, "project/skills/zip"));
    const folders = [join(top, "project/skills")];
    expect((await readSkills(folders)).skills).toHaveLength(1);
    const { skills, problems } = await readSkills(folders, { within: join(top, "project") });
    expect(skills).toEqual([]);
    expect(problems).toMatchObject([
      { code: "file_unreadable", message: expect.stringContaining("out of the project") },
    ]);
  });
});
