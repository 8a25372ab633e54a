import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { place } from "./support/command-line.ts";
import { hasTmux, tmuxTerminal } from "./support/tmux-terminal.ts";

const enter = "\r";
/** Keys count as an answer only if none came just before. */
const untilQuiet = () => new Promise((resolve) => setTimeout(resolve, 1200));

describe.skipIf(!hasTmux)("an answer for this session, at a terminal", () => {
  it("lets the next call run, is listed, and ends with the conversation; no file holds it", async () => {
    const at = place();
    const terminal = tmuxTerminal(at, ["--provider", "offline"], { rows: 40 });
    await terminal.shows(/ready/);
    terminal.type(`write 'one' to docs/one.md${enter}`);
    await terminal.shows(/t \/ b yes, this session \/ always: write:docs\/\*\*/);
    await untilQuiet();
    terminal.type("t");
    await terminal.shows(/Allowed for this session: write:docs\/\*\* \(\/rules\)/);
    await terminal.shows(/Wrote 3 bytes to docs\/one\.md[\s\S]*ready/);
    terminal.type(`write 'three' to docs/two.md${enter}`);
    await terminal.shows(/Wrote 5 bytes to docs\/two\.md/);
    terminal.type(`/rules${enter}`);
    await terminal.shows(/allow write:docs\/\*\* +this session/);
    terminal.type(`/new${enter}`);
    await terminal.shows(/1 rule of this session ended with the conversation that you leave\./);
    terminal.type(`write 'four' to docs/three.md${enter}`);
    await terminal.shows(/Allow it\?[\s\S]*waits for you/);
    expect(existsSync(join(at.folder, "docs/three.md"))).toBe(false);
    expect(existsSync(join(at.folder, ".config/cogency/rules.json"))).toBe(false);
  });
});
