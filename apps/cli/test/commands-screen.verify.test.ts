import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { models, place } from "./support/command-line.ts";
import { hasPseudoTerminal, pseudoTerminal } from "./support/pseudo-terminal.ts";

const enter = "\r";

it.skipIf(!hasPseudoTerminal)(
  "a command of a file is completed at a terminal, shows whose it is, and its call runs without a question",
  async () => {
    const at = place();
    const folder = join(at.folder, ".config/cogency/commands");
    mkdirSync(folder, { recursive: true });
    const front = "description: Makes it.\nargument-hint: '[what]'\nallowed-tools: Write(made.txt)";
    writeFileSync(join(folder, "make.md"), `---\n${front}\n---\nMake $1.`);
    const model = JSON.stringify([[{ name: "write", args: { file: "made.txt", content: "x" } }]]);
    const terminal = pseudoTerminal(at, ["--provider", models, "--model", model], { rows: 40 });
    await terminal.shows(/ready/);
    terminal.type("/mak");
    await terminal.shows(/\/make +\[what\] · yours · Makes it\./);
    terminal.type("\t");
    await terminal.shows(/\/make /);
    terminal.type(`tea${enter}`);
    const shown = await terminal.shows(/✓ write made\.txt/);
    expect(shown).toMatch(
      /> \/make tea\n+\/make: yours\. Until the turn ends, these run without a question: write:made\.txt\./,
    );
    expect(shown).not.toMatch(/y yes, this once/);
    terminal.type(`/help all${enter}`);
    await terminal.shows(/\/make \[what\] +yours · Makes it\./);
    terminal.type(`/quit${enter}`);
    expect(await terminal.ended).toBe(0);
  },
);
