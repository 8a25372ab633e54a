import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSkill, readSkills } from "./read-skills.ts";

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

  it("reads a SKILL.md that is a link, with the files beside the link, and each file once", async () => {
    await skill("store", "x", textOf("zip"));
    await mkdir(join(top, "own/zip"), { recursive: true });
    await symlink(join(top, "store/x/SKILL.md"), join(top, "own/zip/SKILL.md"));
    await writeFile(join(top, "own/zip/notes.md"), "");
    await symlink(join(top, "own"), join(top, "same"));
    const { skills, problems } = await read("own", "same");
    expect(problems).toEqual([]);
    expect(skills).toMatchObject([{ name: "zip", folder: join(top, "own/zip"), files: ["notes.md"] }]);
  });

  it("lets a function say what each text brings, by the text that was read", async () => {
    await skill("a", "zip");
    await skill("a", "new");
    const { skills } = await readSkills([join(top, "a")], {
      holds: ({ file, source }) =>
        file === join(top, "a/zip/SKILL.md") && source === textOf("zip") ? [] : [{ holds: "untrusted", source: file }],
    });
    expect(skills.map(({ name, holds }) => [name, holds?.length])).toEqual([
      ["new", 1],
      ["zip", 0],
    ]);
  });

  it("ends in a folder of many folders", async () => {
    await skill("a", "zip");
    for (let index = 0; index < 400; index++) await mkdir(join(top, `a/zip/d${String(index).padStart(3, "0")}`));
    await writeFile(join(top, "a/zip/d000/x"), "");
    await writeFile(join(top, "a/zip/d399/x"), "");
    expect((await read("a")).skills[0]?.files).toEqual(["d000/x"]);
  });
});

describe("readSkill", () => {
  it("reads the skill of one folder, and says if there is none", async () => {
    await skill("a", "zip");
    await mkdir(join(top, "a/none"));
    expect(await readSkill(join(top, "a/zip"))).toMatchObject({ skill: { name: "zip" }, problems: [] });
    expect(await readSkill(join(top, "a/none"))).toMatchObject({
      problems: [{ code: "file_missing", file: join(top, "a/none/SKILL.md") }],
    });
  });
});

describe("the file beside a skill", () => {
  async function reading(path: string): Promise<string> {
    const { skill: found } = await readSkill(join(top, "a/zip"));
    return (await found?.readFile?.(path)) ?? "";
  }

  beforeEach(async () => {
    await skill("a", "zip");
    await mkdir(join(top, "a/zip/docs"));
    await writeFile(join(top, "a/zip/docs/b.md"), "All of it.");
    await writeFile(join(top, "a/secret"), "SECRET");
  });

  it.each(["docs/b.md", "./docs/b.md", "docs/../docs/b.md"])("is read: %s", async (path) => {
    expect(await reading(path)).toBe("All of it.");
  });

  it("may be a link within the folder", async () => {
    await symlink("docs/b.md", join(top, "a/zip/link.md"));
    expect(await reading("link.md")).toBe("All of it.");
  });

  it.each<[string, string, (() => Promise<unknown>)?]>([
    ["a path upward", "../secret"],
    ["a path upward to nothing", "../nothing"],
    ["a path upward from below", "docs/../../secret"],
    ["an absolute path", "/etc/passwd"],
    ["a link to a file outside", "out", () => symlink(join(top, "a/secret"), join(top, "a/zip/out"))],
    [
      "a file in a link to a folder outside",
      "outside/secret",
      () => symlink(join(top, "a"), join(top, "a/zip/outside")),
    ],
    ["a device", "zero", () => symlink("/dev/zero", join(top, "a/zip/zero"))],
    ["a pipe", "pipe", async () => execFileSync("mkfifo", [join(top, "a/zip/pipe")])],
    ["a folder", "docs"],
    ["the folder itself", "."],
    ["nothing", "missing.md"],
    ["a name with a zero byte", "a\0b"],
    ["bytes that are no text", "binary", () => writeFile(join(top, "a/zip/binary"), Buffer.from([1, 0, 2]))],
    [
      "a file without an end",
      "large",
      async () => {
        await writeFile(join(top, "a/zip/large"), "");
        await truncate(join(top, "a/zip/large"), 1e12);
      },
    ],
  ])("is not %s", async (_, path, make) => {
    await make?.();
    const error = await reading(path).catch((one: unknown) => one);
    expect(error).toMatchObject({ name: "SkillError", code: "file_unreadable" });
    expect(String(error)).not.toContain("SECRET");
    if (path.includes("..")) expect(String(error)).toContain("leads out");
  });
});
