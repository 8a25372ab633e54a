import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { fixtures, models, place } from "./support/command-line.ts";
import { hasPseudoTerminal, pseudoTerminal } from "./support/pseudo-terminal.ts";

const chatModels = join(fixtures, "chat-models.ts");

describe.skipIf(!hasPseudoTerminal)("the plain chat", () => {
  const talk = async (args: string[], env: Record<string, string>) => {
    const terminal = pseudoTerminal(place(), ["chat", ...args, "--provider", models, "--model", "writer"], { env });
    await terminal.shows(/^ready: /m);
    terminal.type("write the\\\ntodo list\n");
    await terminal.shows(/n = no/);
    // A line that comes too soon after the question is not its answer.
    await setTimeout(600);
    terminal.type("perhaps\n");
    await terminal.shows(/That is no answer/);
    terminal.type("y\n");
    await terminal.shows(/^usage: .*\n(.*\n)*ready: /m);
    terminal.type("\u0004");
    expect(await terminal.ended).toBe(0);
    const { before, after } = terminal.settings();
    expect(after).toBe(before);
    return terminal;
  };

  it("says each event once, in lines that are only added, without an escape sequence but colours", async () => {
    const [dumb, coloured, plain] = await Promise.all([
      talk([], { TERM: "dumb" }),
      talk(["--plain"], {}),
      talk(["--plain"], { NO_COLOR: "1" }),
    ]);
    const said = dumb.bytes.replaceAll("\r\n", "\n");
    expect(said.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    expect(said).not.toMatch(/[\u2500-\u259f\u2800-\u28ff]/);
    const kinds = said.match(/^[a-z]+(?=: )/gm) ?? [];
    expect(kinds).toEqual(
      "note ready you agent question question question answer call result change agent usage ready".split(" "),
    );
    expect(said).toContain("you: write the\n  todo list\n");
    expect(said).toContain("agent: I will write it.\n");
    expect(said).toMatch(/^question: write wants to run with\n(?: .*\n)* +content \| # Todo\n/m);
    expect(said).toMatch(/^result: write todo.md: done, /m);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the colours.
    const colours = /\x1b\[[\d;]*m/g;
    expect(coloured.bytes).toMatch(colours);
    expect(coloured.bytes.replace(colours, "")).not.toContain("\u001b");
    expect(plain.bytes).not.toContain("\u001b");
  });

  it("a line of a text that was begun before a question belongs to the text, and does not answer", async () => {
    const args = ["chat", "--plain", "--provider", chatModels, "--model", "talking"];
    const terminal = pseudoTerminal(place(), args, { columns: 100, env: { NO_COLOR: "1" } });
    await terminal.shows(/^ready: /m);
    terminal.type("write\nand the name is\\\n");
    await terminal.shows(/n = no/);
    await setTimeout(600);
    terminal.type("y\n");
    const asked = await terminal.shows(/^question: That line ended the text that you had begun\./m);
    expect(asked).not.toContain("answer: Allowed");
    terminal.type("y\n");
    await terminal.shows(/^answer: Allowed: write\n(.*\n)*you: and the name is\n {2}y$/m);
    terminal.type("/quit\n");
    expect(await terminal.ended).toBe(0);
  });

  it("20, 21: a line that is typed while it works steers, /later queues, /unsend takes back, and Ctrl-C cancels", async () => {
    const at = place();
    const args = ["chat", "--plain", "--yes", "--provider", chatModels, "--model", "talking"];
    const terminal = pseudoTerminal(at, args, {
      columns: 100,
      env: { NO_COLOR: "1" },
      // The Ctrl-C is for the chat alone.
      before: "trap : INT",
    });
    await terminal.shows(/^ready: /m);
    terminal.type("work\n");
    await terminal.shows(/^call: shell /m);
    terminal.type("look at a\n/later look at b\n/unsend\n");
    await terminal.shows(/^warning: Not sent, type it again to send it: look at a\n {2}look at b$/m);
    terminal.type("look at c\n");
    await terminal.shows(/^look at c\nnote: The agent reads that before its next request\./m);
    terminal.type("/later look at d\n/later !!echo the last of $((1 + 1))\n");
    await terminal.shows(/^\/later look at d\n(.*\n)*note: That is said after the answer\./m);
    writeFileSync(join(at.folder, "go"), "");
    const answered = await terminal.shows(/^output: the last of 2$/m);
    expect(answered.match(/^you: .*$/gm)).toEqual(["you: work", "you: look at c", "you: look at d"]);
    expect(answered).toMatch(
      /^you: look at c\nagent: I read 1 .* "look at c"\.\n(.*\n)*you: look at d\nagent: .* "look at d"\.$/m,
    );
    terminal.type("hang\n");
    await terminal.shows(/^agent: I begin\.$/m);
    terminal.type("\u0003");
    await terminal.shows(/^agent: I begin\.\n(.*\n)*note: Cancelled\. .*\n(.*\n)*ready: /m);
    terminal.type("/quit\n");
    expect(await terminal.ended).toBe(0);
    expect(terminal.bytes.replaceAll(/\r|\n/g, "")).not.toMatch(/\p{Cc}/u);
  });

  it("offers a model where none is named, before the first prompt, and the command that goes on names it", async () => {
    const terminal = pseudoTerminal(place(), ["chat", "--plain"], { columns: 100, env: { NO_COLOR: "1" } });
    await terminal.shows(/^There is no model to ask yet: no key is set\.$/m);
    await terminal.shows(/Which one\? 1 to \d+/);
    // The offline model stands last; servers of this machine may stand before it.
    const [, last = ""] = /Which one\? 1 to (\d+)/.exec(terminal.bytes) ?? [];
    terminal.type(`${last}\n`);
    await terminal.shows(/^ready: /m);
    terminal.type("read notes.txt\n");
    await terminal.shows(/hello from the notes\n(.*\n)*ready: /m);
    terminal.type("\u0004");
    expect(await terminal.ended).toBe(0);
    expect(terminal.bytes).toMatch(/cogency --resume [0-9a-f-]{36} --plain --provider offline/);
  });
});
