import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { models, place } from "./support/command-line.ts";
import { hasPseudoTerminal, pseudoTerminal } from "./support/pseudo-terminal.ts";

const enter = "\r";
/** Keys count as an answer only if none came just before. */
const untilQuiet = () => new Promise((resolve) => setTimeout(resolve, 700));

describe.skipIf(!hasPseudoTerminal)("a day's work in the chat", () => {
  it("22, 28, 29, 30: shows calls as they run, asks with all that will run, keeps a rule, tells the terminal, and undoes", async () => {
    const at = place();
    const terminal = pseudoTerminal(at, ["--provider", models, "--model", "workday", "--notify"], { rows: 40 });
    await terminal.shows(/ready/);
    terminal.type(`make the check pass${enter}`);
    // 29: everything that will run, and where "always" is kept.
    const asked = await terminal.shows(/this session \/ always: edit:notes\.txt\n.*rules\.json/s);
    expect(asked).toMatch(/✓ read notes\.txt/);
    expect(asked).toMatch(/- hello\n\+ good morning\n/);
    await untilQuiet();
    terminal.type("a");
    await terminal.shows(/command +sh -c 'echo one; echo two; sleep 1; echo FAILED: three; exit 3'.*y yes, this once/s);
    await untilQuiet();
    terminal.type("y");
    // 22: what runs, its seconds, what came of it; a command that fails is no success.
    const done = await terminal.shows(
      /✗ shell .*exit code 3 · \d+\.\d s\n.*\n +FAILED: three\n.*Shall I go on\?.*ready/s,
    );
    expect(done).not.toMatch(/✓ shell/);
    expect(done.match(/thought briefly|thought for/g)).toHaveLength(1);
    // 28: once for each question.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the message of a terminal begins and ends with these.
    expect(terminal.bytes.match(/\x1b\]9;[^\x07]*\x07/g)).toHaveLength(2);
    // 30: a rule that a person can read.
    const rules = JSON.parse(readFileSync(join(at.folder, ".config/cogency/rules.json"), "utf8")) as object;
    expect(JSON.stringify(rules)).toContain('"allow":["edit:notes.txt"]');
    expect(readFileSync(join(at.folder, "notes.txt"), "utf8")).toBe("good morning from the notes\n");
    // 34: the agent's own edit goes back.
    terminal.type(`/undo${enter}`);
    await terminal.shows(/restored +notes\.txt\n.*undo_\w+/);
    expect(readFileSync(join(at.folder, "notes.txt"), "utf8")).toBe("hello from the notes\n");
    terminal.type(`/quit${enter}`);
    expect(await terminal.ended).toBe(0);
    const { before, after } = terminal.settings();
    expect(after).toBe(before);
  });
});
