import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { hasTerminal, openTerminal } from "./terminal.ts";

const env = { PATH: process.env.PATH ?? "", TERM: "xterm-256color" };

describe.skipIf(!hasTerminal)("a terminal", () => {
  it("shows what a program writes, passes on what is typed, and counts the bytes", async () => {
    const terminal = openTerminal(
      ["sh", "-c", "echo 'it'\"'s here\"; read line; echo got $line; sleep 1000"],
      tmpdir(),
      env,
    );
    try {
      await terminal.shows(/it's here/, 60_000);
      const before = terminal.bytes;
      terminal.type("a word\r");
      await terminal.shows(/got a word/, 60_000);
      expect(terminal.bytes).toBeGreaterThan(before);
    } finally {
      await terminal.hangUp();
    }
  });

  it("says what it shows when a program ends without what is awaited", async () => {
    const terminal = openTerminal(["sh", "-c", "echo no account"], tmpdir(), env);
    await expect(terminal.shows(/ready/, 60_000)).rejects.toThrow(/it ended and showed:\s+no account/);
  });
});
