import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { calling, ownProcesses } from "./support/command-line.ts";

describe("cogency rewind", () => {
  it("restores every file byte for byte to before turn 1, but none that a person changed, and goes on in a fork", async () => {
    const { cogency, folder } = ownProcesses();
    const work = join(folder, "work");
    mkdirSync(work);
    execFileSync("git", ["init", "-q"], { cwd: work });
    const file = (name: string) => join(work, name);
    const text = (name: string) => readFileSync(file(name), "utf8");
    writeFileSync(file("edited.txt"), "\ufeffold\r\n");
    chmodSync(file("edited.txt"), 0o754);
    writeFileSync(file("mine.txt"), "old");
    const turn = (prompt: string, ...calls: { name: string; args: object }[]) =>
      cogency(["run", prompt, "--conversation", "c", "--yes", ...calling(calls)], { cwd: work });
    await turn(
      "one",
      { name: "write", args: { file: "made/new.md", content: "one" } },
      { name: "edit", args: { file: "edited.txt", edits: [{ old: "old", new: "new" }] } },
    );
    await turn("two", { name: "replace", args: { find: "old", with: "agent's" } });
    await turn(
      "three",
      { name: "write", args: { file: "made/new.md", content: "three", overwrite: true } },
      { name: "shell", args: { command: "touch by-command" } },
    );
    writeFileSync(file("mine.txt"), "a person's");
    const git = readdirSync(file(".git"));

    const latest = await cogency(["rewind", "--files", "--yes"], { cwd: work });
    expect(latest.stdout).toContain("before turn 3");
    expect(text("made/new.md")).toBe("one");
    const asked = await cogency(["rewind", "--to", "1"], { cwd: work });
    expect(asked).toMatchObject({ code: 2, stdout: "" });
    const all = await cogency(["rewind", "c", "--to", "1", "--yes"], { cwd: work });
    // A file was left.
    expect(all.code).toBe(1);
    expect(latest.code).toBe(0);
    expect(all.stdout).toMatch(/removed +made\/new\.md\n +restored +edited\.txt\n/);
    expect(all.stdout).toContain("mine.txt was changed since");
    expect(all.stdout).toContain("touch by-command: by-command\n");
    expect(existsSync(file("made"))).toBe(false);
    expect(text("edited.txt")).toBe("\ufeffold\r\n");
    expect(statSync(file("edited.txt")).mode & 0o777).toBe(0o754);
    expect(text("mine.txt")).toBe("a person's");
    expect(readdirSync(file(".git"))).toEqual(git);

    const [, undone] = /--to (undo_\w+)/.exec(all.stdout) ?? [];
    const [, fork] = /cogency --resume (\S+)/.exec(all.stdout) ?? [];
    // The fork can take back what was undone, too.
    await cogency(["rewind", fork ?? "", "--to", undone ?? "", "--files", "--yes"], { cwd: work });
    expect(text("edited.txt")).toBe("\ufeffnew\r\n");
    const copies = join(folder, ".cogency", "undo");
    expect(readdirSync(copies)).toHaveLength(2);
    await cogency(["history", "delete", "c", fork ?? "", "--yes"]);
    expect(readdirSync(copies)).toEqual([]);
  });
});
