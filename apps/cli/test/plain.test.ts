import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { models, place } from "./support/command-line.ts";
import { hasPseudoTerminal, pseudoTerminal } from "./support/pseudo-terminal.ts";

describe.skipIf(!hasPseudoTerminal)("the plain chat", () => {
  const talk = async (args: string[], env: Record<string, string>) => {
    const terminal = pseudoTerminal(place(), ["chat", ...args, "--provider", models, "--model", "writer"], { env });
    await terminal.shows(/^ready: /m);
    terminal.type("write the\\\ntodo list\n");
    await terminal.shows(/n for no/);
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
});
