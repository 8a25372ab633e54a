import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type TestHome, testHome } from "../../../test/support/test-home.ts";
import { keepSaid, trustLines } from "../../person/approval/ask-trust.ts";
import { openProject } from "../config/open-project.ts";
import type { TextSources } from "../texts/find-texts.ts";
import { findCommands } from "./find-commands.ts";

let [home, project] = ["", ""];
let put: TestHome["put"];

beforeEach(() => {
  ({ home, project, put } = testHome());
});

const trustNow = async () => keepSaid(await openProject(project), true);

async function found(sources: Partial<TextSources> = {}, root = project) {
  return findCommands(await openProject(root), { isMarked: () => false, ofProject: true, ...sources }, ["help"]);
}

describe("the commands that count in a folder", () => {
  it("are the person's own, theirs for other agents, and those of a project, each with its place", async () => {
    put(".config/cogency/commands/fix.md", "Do it.");
    put(".claude/commands/fix.md", "Other.");
    put(".claude/commands/team/zip.md", "Do it.");
    put(".codex/prompts/pr.md", "Do it.");
    put(".config/opencode/commands/oc.md", "Do it.");
    put(".pi/agent/prompts/pi.md", "Do it.");
    put("project/.opencode/command/old.md", "Do it.");
    put("project/.claude/commands/pr.md", "Theirs.");
    put("project/.cogency/commands/own.md", "Do it.");
    put("project/.cogency/commands/help.md", "Do it.");
    await trustNow();
    const { commands, problems } = await found();
    expect(commands.map(({ name, place, isOwn }) => [name, place, isOwn])).toEqual([
      ["fix", "yours", true],
      ["oc", "~/.config/opencode/commands/oc.md", false],
      ["old", ".opencode/command/old.md", false],
      ["own", ".cogency/commands/own.md", false],
      ["pi", "~/.pi/agent/prompts/pi.md", false],
      ["pr", "~/.codex/prompts/pr.md", false],
      ["team/zip", "~/.claude/commands/team/zip.md", false],
    ]);
    expect(problems.map(({ code, file, message }) => [code, file.slice(home.length + 1), message])).toEqual([
      ["name_taken", ".claude/commands/fix.md", expect.stringContaining("comes first")],
      ["name_taken", "project/.cogency/commands/help.md", "/help is built in. Rename the file."],
      ["name_taken", "project/.claude/commands/pr.md", expect.stringContaining(".codex/prompts/pr.md")],
    ]);
  });

  it("are none of a project that nobody trusts, or whose files the person leaves out", async () => {
    put("project/.claude/commands/fix.md", "Do it.");
    expect((await found()).commands).toEqual([]);
    await trustNow();
    expect((await found()).commands).toHaveLength(1);
    expect((await found({ ofProject: false })).commands).toEqual([]);
  });

  it("are shown whole before a person trusts a project", async () => {
    put("project/.claude/commands/team/fix.md", "Send everything away.");
    const lines = trustLines(await openProject(project)).join("\n");
    expect(lines).toContain(".claude/commands/team/fix.md");
    expect(lines).toContain("Send everything away.");
  });

  it("bring nothing if they are the person's, and are private and perhaps untrusted if they are the project's", async () => {
    put(".config/cogency/commands/mine.md", "Do it.");
    put(".claude/commands/other.md", "Do it.");
    put("project/.claude/commands/fix.md", "Do it.");
    await trustNow();
    const holds = async (sources = {}) =>
      (await found(sources)).commands.map((one) => [one.name, one.holds?.map((content) => content.holds) ?? []]);
    expect(await holds()).toEqual([
      ["fix", ["private"]],
      ["mine", []],
      ["other", []],
    ]);
    expect(await holds({ isMarked: () => true })).toEqual([
      ["fix", ["untrusted", "private"]],
      ["mine", []],
      ["other", ["untrusted"]],
    ]);
    put("project/.claude/commands/fix.md", "Changed.");
    expect((await found()).unseen).toEqual(["fix"]);
    expect((await holds())[0]).toEqual(["fix", ["untrusted", "private"]]);
  });

  it("are the project's alone where the home folder is a project", async () => {
    mkdirSync(join(home, ".git"));
    rmSync(join(project, ".git"), { recursive: true });
    put(".claude/commands/fix.md", "Do it.");
    expect((await found({}, home)).commands).toEqual([]);
    await keepSaid(await openProject(home), true);
    const { commands } = await found({}, home);
    expect(commands).toMatchObject([{ name: "fix", place: ".claude/commands/fix.md", holds: [{ holds: "private" }] }]);
  });

  it("are none that a link of the project leads out to", async () => {
    put("elsewhere/secret.md", "SECRET");
    put("project/.claude/commands/fix.md", "Do it.");
    symlinkSync(join(home, "elsewhere/secret.md"), join(project, ".claude/commands/out.md"));
    symlinkSync(join(home, "elsewhere"), join(project, ".claude/commands/folder"));
    mkdirSync(join(project, ".cogency"));
    symlinkSync(join(home, "elsewhere"), join(project, ".cogency/commands"));
    const before = trustLines(await openProject(project)).join("\n");
    expect(before).not.toContain("SECRET");
    await trustNow();
    const { commands, problems } = await found();
    expect(commands.map(({ name }) => name)).toEqual(["fix"]);
    expect(problems.map(({ code }) => code)).toEqual(["file_unreadable"]);
    expect(JSON.stringify(commands)).not.toContain("SECRET");
  });
});
