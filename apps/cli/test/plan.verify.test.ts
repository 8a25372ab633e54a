import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { calling, place } from "./support/command-line.ts";
import { hasPseudoTerminal, pseudoTerminal } from "./support/pseudo-terminal.ts";

const shiftTab = "\u001b[Z";
const enter = "\r";
const presented = { plan: "I write todo.md.\n\nNothing else changes.", steps: ["Write it", "Check it"] };
const update = (first: string, second: string) => ({
  name: "plan",
  args: {
    steps: [
      { step: "Write it", state: first },
      { step: "Check it", state: second },
    ],
  },
});
const model = calling(
  [{ name: "list", args: { path: "." } }],
  [{ name: "present_plan", args: presented }],
  [update("now", "open"), { name: "write", args: { file: "todo.md", content: "one\n" } }],
  [update("done", "now")],
);
/** A text counts as an answer once the question could be read. */
const untilRead = () => new Promise((resolve) => setTimeout(resolve, 700));

describe.skipIf(!hasPseudoTerminal)("a plan at a terminal", () => {
  it("is read whole, accepted, and then followed in the foot, by what each update changed", async () => {
    const at = place();
    const terminal = pseudoTerminal(at, [...model, "--sandbox", "off", "--access", "project"], { rows: 50 });
    await terminal.shows(/ready · mode ask/);
    for (const mode of ["edits", "plan"]) {
      terminal.type(shiftTab);
      await terminal.shows(new RegExp(`ready · mode ${mode}`));
    }
    terminal.type(`add a todo list${enter}`);
    const asked = await terminal.shows(/present_plan asks.*waits for you · mode plan/s);
    expect(asked).toMatch(/I write todo\.md\.\n\nNothing else changes\.\n\n1\. Write it\n2\. Check it\n/);
    expect(asked).not.toContain("sandboxed: accept it");
    expect(existsSync(join(at.folder, "todo.md"))).toBe(false);
    await untilRead();
    terminal.type(`edits${enter}`);
    const done = await terminal.shows(/That was it\..*plan 1\/2 · Check it\nready · mode edits/s);
    expect(done).toMatch(/✓ present_plan accepted: edits\n +\[ \] Write it\n +\[ \] Check it\n/);
    expect(done).toMatch(/✓ plan 1\/2 · Check it\n +\[x\] Write it\n +\[>\] Check it\n/);
    expect(existsSync(join(at.folder, "todo.md"))).toBe(true);
    // Ctrl-T lists it.
    terminal.type("\u0014");
    await terminal.shows(/done +Write it\n +now +Check it\n.*You accepted a plan \(edits\)\. \/plan text shows it\./s);
    terminal.type(`/quit${enter}`);
    expect(await terminal.ended).toBe(0);
  });

  it("waits through a kill, is asked again in another mode, and gives the mode that was chosen", async () => {
    const at = place();
    const options = [...model, "--sandbox", "off", "--access", "project"];
    const killed = pseudoTerminal(at, [...options, "--mode", "plan"], { rows: 50 });
    await killed.shows(/ready · mode plan/);
    killed.type(`add a todo list${enter}`);
    await killed.shows(/present_plan asks.*waits for you/s);
    killed.kill("SIGKILL");
    await killed.ended.catch(() => {});
    const terminal = pseudoTerminal(at, ["--continue", ...options], { rows: 50 });
    await terminal.shows(/One question waits for your answer\. \/continue asks\..*ready · mode ask/s);
    terminal.type(`/continue${enter}`);
    await terminal.shows(/present_plan asks.*Nothing else changes\..*waits for you/s);
    await untilRead();
    terminal.type(`edits${enter}`);
    await terminal.shows(/✓ present_plan accepted: edits.*ready · mode edits/s);
    await terminal.shows(/✓ write todo\.md/);
    terminal.type(`/quit${enter}`);
    expect(await terminal.ended).toBe(0);
    // Opened again, the accepted plan stands whole.
    const again = pseudoTerminal(at, ["--continue", ...options], { rows: 50 });
    const shown = await again.shows(/ready · mode ask/);
    expect(shown).toMatch(/✓ present_plan accepted: edits\n +I write todo\.md\.\n\n? *\n? +Nothing else changes\./);
    again.type(`/quit${enter}`);
    expect(await again.ended).toBe(0);
  });
});
