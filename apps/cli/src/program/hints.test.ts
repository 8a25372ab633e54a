import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { expect, it } from "vitest";
import { createProgram } from "./program.ts";

const src = join(import.meta.dirname, "..");
const program = createProgram({ during: () => Promise.reject(), exitCode: 0, readerLeft: () => {} }, () => {});

/** The commands that messages tell a person to type: `cogency config key set <NAME>`. Comments are left out. */
const hints = globSync("**/*.ts", { cwd: src, exclude: (name) => name.endsWith(".test.ts") }).flatMap((file) => {
  const code = readFileSync(join(src, file), "utf8").replace(/^\s*(?:\*|\/\*|\/\/).*$/gm, "");
  return Array.from(code.matchAll(/\bcogency((?: [a-z][a-z-]*)+)/g), ([, words = ""]) => ({
    file,
    words: words.trim(),
  }));
});

/** What the words name, and those that are left. */
function commandOf(words: readonly string[]): { command: Command; rest: readonly string[] } {
  let command: Command = program;
  for (const [at, word] of words.entries()) {
    const next = command.commands.find((one) => one.name() === word);
    if (!next) return { command, rest: words.slice(at) };
    command = next;
  }
  return { command, rest: [] };
}

/** Commands that have commands of their own, and can be typed without one. */
const doSomethingAlone: ReadonlySet<string> = new Set(["workers"]);

it("there are hints to look at", () => {
  expect(hints.length).toBeGreaterThan(10);
});

it.each(hints)("the hint names a command that can be typed: cogency $words ($file)", ({ words }) => {
  const { command } = commandOf(words.split(" "));
  // Words of a sentence follow the name of the program, too.
  if (command === program) return;
  if (!doSomethingAlone.has(command.name())) expect(command.commands.map((one) => one.name())).toEqual([]);
});
