import { describe, expect, it } from "vitest";
import { place } from "./support/command-line.ts";
import { hasPseudoTerminal, pseudoTerminal } from "./support/pseudo-terminal.ts";

const enter = "\r";

describe.skipIf(!hasPseudoTerminal)("the chat", () => {
  it("begins where nothing is said, answers, and ends with the command that goes on", async () => {
    const terminal = pseudoTerminal(place(), []);
    await terminal.shows(/ready · offline/);
    terminal.type(`read notes.txt${enter}`);
    await terminal.shows(/✓ read notes\.txt .*hello from the notes/s);
    await terminal.shows(/ready · [\d,]+ tokens in/);
    terminal.type("/quit\r");
    expect(await terminal.ended).toBe(0);
    expect(
      terminal
        .lines()
        .filter((line) => line !== "")
        .at(-1),
    ).toMatch(/^cogency --resume [0-9a-f-]{36}$/);
  });
});
