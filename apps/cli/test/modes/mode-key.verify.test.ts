import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { models, place } from "../support/command-line.ts";
import { hasPseudoTerminal, pseudoTerminal } from "../support/pseudo-terminal.ts";

const shiftTab = "\u001b[Z";

it.skipIf(!hasPseudoTerminal)("Shift-Tab changes the mode, the foot shows it, and it counts", async () => {
  const at = place();
  const terminal = pseudoTerminal(at, ["--provider", models, "--model", "writer", "--sandbox", "off"], { rows: 40 });
  await terminal.shows(/ready · mode ask/);
  terminal.type(shiftTab);
  await terminal.shows(/ready · mode edits/);
  terminal.type("write the todo list\r");
  const done = await terminal.shows(/✓ write todo\.md.*ready · mode edits/s);
  expect(done).not.toContain("yes, this once");
  expect(existsSync(join(at.folder, "todo.md"))).toBe(true);
  terminal.type(shiftTab);
  await terminal.shows(/! The mode sandboxed cannot be used here: the sandbox is off\..*ready · mode plan/s);
  terminal.type("/quit\r");
  expect(await terminal.ended).toBe(0);
});
