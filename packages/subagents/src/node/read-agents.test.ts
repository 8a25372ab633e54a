import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { readAgent, readAgents } from "./read-agents.ts";

let home = "";

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "agents-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

const textOf = (name: string, body = "Do it.") => `---\nname: ${name}\ndescription: Does ${name}.\n---\n${body}\n`;

function put(path: string, text: string): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

describe("readAgents", () => {
  it("reads the files of folders, of two with one name that of the earlier folder", async () => {
    put("own/zip.md", textOf("zip"));
    put("own/notes.txt", "no agent");
    put("theirs/other.md", textOf("zip", "Theirs."));
    put("theirs/ask.md", textOf("ask"));
    put("theirs/deep/more.md", textOf("more"));
    const { agents, problems } = await readAgents(["own", "theirs", "nowhere"].map((name) => join(home, name)));
    expect(agents.map(({ name, instructions }) => [name, instructions])).toEqual([
      ["ask", "Do it."],
      ["zip", "Do it."],
    ]);
    expect(problems).toMatchObject([{ code: "name_taken", file: join(home, "theirs/other.md") }]);
  });

  it("leaves out what is no agent, and reads the rest", async () => {
    put("a/bad.md", "no front matter");
    put("a/large.md", textOf("large", "x".repeat(300_000)));
    put("a/good.md", textOf("good"));
    mkdirSync(join(home, "a/folder.md"));
    const { agents, problems } = await readAgents([join(home, "a")]);
    expect(agents.map(({ name }) => name)).toEqual(["good"]);
    expect(problems.map(({ code }) => code).sort()).toEqual(["file_too_large", "front_matter_missing"]);
  });

  it("follows no link out of the folder that it is given, and reads a file once", async () => {
    put("secret/a.md", textOf("a"));
    put("project/.claude/agents/b.md", textOf("b"));
    symlinkSync("../../../secret/a.md", join(home, "project/.claude/agents/a.md"));
    mkdirSync(join(home, "project/.cogency"));
    symlinkSync("../../secret", join(home, "project/.cogency/agents"));
    symlinkSync(".claude", join(home, "project/.opencode"));
    const folders = [".claude/agents", ".cogency/agents", ".opencode/agents"].map((name) =>
      join(home, "project", name),
    );
    const { agents, problems } = await readAgents(folders, { within: join(home, "project") });
    expect(agents.map(({ name }) => name)).toEqual(["b"]);
    expect(problems.map(({ code }) => code)).toEqual(["file_unreadable", "file_unreadable", "file_unreadable"]);
  });

  it("asks what a text brings for each file, with all of its text", async () => {
    put("a/one.md", textOf("one"));
    const seen: string[] = [];
    const { agents } = await readAgents([join(home, "a")], {
      holds: ({ source }) => {
        seen.push(source);
        return [{ holds: "private", source: "one" }];
      },
    });
    expect(agents[0]?.holds).toEqual([{ holds: "private", source: "one" }]);
    expect(seen).toEqual([textOf("one")]);
  });

  it("reads one file by the same rules", async () => {
    const file = put("a/one.md", textOf("one"));
    put("a/bad.md", "no");
    expect(await readAgent(file)).toMatchObject({ agent: { name: "one" }, problems: [] });
    expect(await readAgent(join(home, "a/bad.md"))).toMatchObject({ problems: [{ code: "front_matter_missing" }] });
    expect(await readAgent(join(home, "a/none.md"))).toMatchObject({ problems: [{ code: "file_missing" }] });
  });
});
