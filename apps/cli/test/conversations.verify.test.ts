import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { calling, jsonLines, models, outcomeOf, place } from "./support/command-line.ts";
import { hasPseudoTerminal, pseudoTerminal } from "./support/pseudo-terminal.ts";

const writes = [{ name: "write", args: { file: "new.txt", content: "x" } }];
const enter = "\r";
const eventually = { timeout: 60_000 };

describe("a conversation, from another terminal", () => {
  it("is answered and forked, and replayed as history shows it", async () => {
    const { cogency, folder } = place();
    expect((await cogency(["go", "--conversation", "talk", "--wait", ...calling(writes)])).code).toBe(6);
    const open = await cogency(["approve", "tal"]);
    expect(open.code).toBe(6);
    expect(open.stdout).toMatch(/write wants to run with\n[\s\S]*content +x\n/);
    const [, question = ""] = /cogency approve talk (\w+)/.exec(open.stdout) ?? [];
    expect((await cogency(["deny", "talk", "no-such"])).code).toBe(2);
    const approved = await cogency(["approve", "talk", question]);
    expect(approved).toMatchObject({ code: 0, stderr: expect.stringContaining("It waits for: cogency --resume talk") });
    expect((await cogency(["--resume", "talk", ...calling()])).code).toBe(0);
    expect(existsSync(join(folder, "new.txt"))).toBe(true);
    expect(await cogency(["approve", "talk", question])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is settled: approved"),
    });

    expect(await cogency(["fork", "talk", "--as", "other"])).toMatchObject({ code: 0, stdout: "other\n" });
    await cogency(["more", "--resume", "other", ...calling()]);
    const { stdout: listed } = await cogency(["history", "list", "--json"]);
    const names = jsonLines<{ conversation: string }>(listed).map(({ conversation }) => conversation);
    expect(names.toSorted()).toEqual(["other", "talk"]);
    const { stdout: shown } = await cogency(["history", "show", "talk"]);
    expect(shown).not.toContain("> more");
    expect(await cogency(["replay", "talk"])).toMatchObject({ code: 0, stdout: shown });
  });
});

describe.skipIf(!hasPseudoTerminal)("two terminals", () => {
  it("a question at a run is answered by one who is attached, which the run says", async () => {
    const at = place();
    const run = pseudoTerminal(at, ["go", "--conversation", "c", ...calling(writes)]);
    await run.shows(/Allow it\?/);
    const other = pseudoTerminal(at, ["attach", "c"]);
    await other.shows(/content +x[\s\S]*Allow it\? y, or n/);
    // A line that comes too soon after the question is not its answer.
    await setTimeout(600);
    other.type(`y${enter}`);
    await run.shows(/write was approved from elsewhere\.[\s\S]*✓ write/);
    expect(await run.ended).toBe(0);
    await other.shows(/That was it\.[\s\S]*idle/);
    other.type("\u0003");
    expect(await other.ended).toBe(0);
  });

  it("one that is attached shows what the run is writing, from its beginning; and that it broke off when that process is killed", async () => {
    const at = place();
    const child = at.start(["go", "--conversation", "c", "--provider", models, "--model", "hanging"]);
    const outcome = outcomeOf(child);
    await expect.poll(async () => (await at.cogency(["history", "show", "c"])).stdout, eventually).toContain("> go");
    const other = pseudoTerminal(at, ["attach", "c"]);
    // Nothing of it is stored.
    await other.shows(/\n> go\n\nI am about to\n\nworking/);
    expect((await at.cogency(["history", "show", "c"])).stdout).not.toContain("I am");
    child.kill("SIGKILL");
    await outcome;
    await other.shows(/\n> go\n\n! What was being written here broke off[^!]*conversation\.\n\nidle/);
    // Another process goes on with the turn.
    expect((await at.cogency(["--resume", "c", ...calling()])).code).toBe(0);
    const shown = await other.shows(/\n\nThat was it\.\n\nidle/);
    expect(shown).not.toContain("I am");
    other.type("\u0003");
    expect(await other.ended).toBe(0);
  });
});

describe.skipIf(!hasPseudoTerminal)("--resume without a name", () => {
  it("picks from a list that filters while one types, and Esc leaves", async () => {
    const at = place();
    for (const [name, prompt] of [
      ["first", "read notes.txt"],
      ["second", "list this folder"],
    ] as const)
      await at.cogency([prompt, "--conversation", name, "--provider", "offline"]);
    expect(await at.cogency(["--resume"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("second  list this"),
    });

    const terminal = pseudoTerminal(at, ["--resume", "--provider", "offline"]);
    await terminal.shows(/> .*\(second\)/);
    terminal.type("NOTES");
    await terminal.shows(/> .*read notes\.txt {2}\(first\)\n/);
    terminal.type(enter);
    await terminal.shows(/hello from the notes/);
    terminal.type(`/quit${enter}`);
    expect(await terminal.ended).toBe(0);
    expect(terminal.bytes).not.toMatch(/\?1049h|\[2J/);
    const left = pseudoTerminal(at, ["chat", "--resume"]);
    await left.shows(/Which conversation\?/);
    left.type("\u001b");
    expect(await left.ended).toBe(130);
  });
});
