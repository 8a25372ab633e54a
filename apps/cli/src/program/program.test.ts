import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram } from "./program.ts";

const cancellation = { during: async () => undefined as never, exitCode: 0, readerLeft: () => {} };
const program = createProgram(cancellation, () => {});

function all(command: Command): Command[] {
  return [command, ...command.commands.flatMap(all)];
}

describe("the help", () => {
  it.each(all(program).map((command) => [command.name(), command] as const))("of %s fits 80 columns", (_, command) => {
    let help = "";
    command.configureOutput({
      writeOut: (text) => {
        help += text;
      },
    });
    command.outputHelp();
    expect(help.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it("lists every command under a heading", () => {
    expect(program.helpInformation()).not.toContain("Other commands:");
  });
});
