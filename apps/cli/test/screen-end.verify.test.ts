import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { models, place } from "./support/command-line.ts";
import { hasPseudoTerminal, type PseudoTerminal, pseudoTerminal } from "./support/pseudo-terminal.ts";

const crashing = fileURLToPath(new URL("fixtures/crashing.ts", import.meta.url));

/** What a chat may switch on in a terminal, and how it switches it off. */
const modes = [
  ["\u001b[?25l", "\u001b[?25h"],
  ["\u001b[?2004h", "\u001b[?2004l"],
  ["\u001b[?7l", "\u001b[?7h"],
  ["\u001b[?2026h", "\u001b[?2026l"],
  ["\u001b[>7u", "\u001b[<u"],
  ["\u001b[>4;2m", "\u001b[>4;0m"],
] as const;

describe.skipIf(!hasPseudoTerminal)("a chat that ends in the middle of an answer", () => {
  const begun = async (provider: readonly string[], shown: RegExp): Promise<PseudoTerminal> => {
    const terminal = pseudoTerminal(place(), ["chat", "--provider", ...provider]);
    await terminal.shows(/ready/);
    terminal.type("hello\r");
    await terminal.shows(shown);
    return terminal;
  };

  it("gives the terminal back as it was: by SIGTERM, by SIGHUP, by Ctrl-C twice, and when something throws", async () => {
    const ends = await Promise.all([
      begun([models, "--model", "hanging"], /about to/).then((terminal) => {
        terminal.kill("SIGTERM");
        return { terminal, code: 143 };
      }),
      begun([models, "--model", "hanging"], /about to/).then((terminal) => {
        terminal.kill("SIGHUP");
        return { terminal, code: undefined };
      }),
      begun([models, "--model", "hanging"], /about to/).then((terminal) => {
        terminal.type("\u0003\u0003");
        return { terminal, code: undefined };
      }),
      begun([crashing], /the provider broke/).then((terminal) => ({ terminal, code: 1 })),
    ]);
    for (const { terminal, code } of ends) {
      const ended = await terminal.ended;
      if (code !== undefined) expect(ended).toBe(code);
      const { before, after } = terminal.settings();
      expect(after).toBe(before);
      for (const [on, off] of modes)
        expect(terminal.bytes.lastIndexOf(off)).toBeGreaterThanOrEqual(terminal.bytes.lastIndexOf(on));
      expect(terminal.bytes).toContain("\u001b[?2004h");
      expect(terminal.lines().join("\n")).not.toMatch(/> $|working|ready/m);
    }
  });
});
