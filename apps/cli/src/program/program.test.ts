import { readFileSync } from "node:fs";
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

  it.each([
    [["history", "rename", "c"], "cogency history rename"],
    [["config", "key", "nothing"], "cogency config key"],
    [["--nothing"], "cogency run"],
  ])("of the command itself is named after an error: %j", async (args, command) => {
    const made = createProgram(cancellation, () => {});
    const texts: string[] = [];
    for (const one of all(made)) one.configureOutput({ writeErr: (text) => void texts.push(text) });
    await expect(made.parseAsync(args, { from: "user" })).rejects.toThrow();
    expect(texts.join("")).toMatch(/^error: /);
    expect(texts.join("")).toContain(`\nRun "${command} --help" to see what it takes.\n`);
  });

  it("lists every command under a heading", () => {
    expect(program.helpInformation()).not.toMatch(/^(Other commands|Commands):/m);
  });

  it("and the table in the README have the same commands", () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    const rows = Array.from(readme.matchAll(/^\| (`cogency .*?) \| /gm), ([, cell = ""]) => cell);
    const inTable = rows.flatMap((cell) => {
      const [first = "", ...others] = Array.from(cell.matchAll(/`(?:cogency )?\[?([a-z]+)\]?`/g), ([, name]) => name);
      return cell.includes(":") ? [first, ...others.map((name) => `${first} ${name}`)] : [first, ...others];
    });
    const shown = ({ commands }: Command) => commands.filter((one) => !one.name().startsWith("_"));
    const inHelp = shown(program).flatMap((command) => [
      command.name(),
      ...shown(command).map((inner) => `${command.name()} ${inner.name()}`),
    ]);
    expect(inTable.toSorted()).toEqual(inHelp.toSorted());
  });
});
