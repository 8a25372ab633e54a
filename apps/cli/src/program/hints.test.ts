import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { messagesIn } from "../../test/support/messages.ts";
import { slashCommands } from "../chat/slash/slash-commands.ts";
import { createProgram } from "./program.ts";

const src = join(import.meta.dirname, "..");
const repository = join(src, "../../..");
const program = createProgram({ during: () => Promise.reject(), exitCode: 0, readerLeft: () => {} }, () => {});
const run = program.commands.find((command) => command.name() === "run") as Command;
const chat = program.commands.find((command) => command.name() === "chat") as Command;
const messages = messagesIn(src);

/** Commands that have commands of their own, and can be typed without one. */
const doSomethingAlone: ReadonlySet<string> = new Set(["workers"]);

/** What the words name, and those that are left. */
function commandOf(words: readonly string[]): { command: Command; rest: readonly string[] } {
  let command: Command = program;
  for (const [at, word] of words.entries()) {
    const next = command.commands.find((one) => one.name() === word);
    if (!next) return { command: command === program ? run : command, rest: words.slice(at) };
    command = next;
  }
  return { command: command === program ? run : command, rest: [] };
}

function flagsOf(command: Command): string[] {
  return command.options.flatMap(({ long, short }) => [long, short].filter((flag) => flag != null));
}

function all(command: Command): Command[] {
  return [command, ...command.commands.flatMap(all)];
}

describe("in the messages of the app", () => {
  /** The commands that a person is told to type, with their options: `cogency config key set …`. */
  const hints = messages.flatMap(({ file, text }) =>
    Array.from(text.matchAll(/\bcogency((?: [\w<>…./:-]+)+)/g), ([, words = ""]) => ({ file, words: words.trim() })),
  );

  it("there are commands to look at", () => {
    expect(hints.length).toBeGreaterThan(20);
  });

  it.each(hints)("cogency $words can be typed ($file)", ({ words }) => {
    const { command } = commandOf(words.split(" ").map((word) => word.replace(/[.:]$/, "")));
    if (command !== run && !doSomethingAlone.has(command.name()))
      expect(command.commands.map((one) => one.name())).toEqual([]);
    const flags = words.match(/(?<=^| )--[\w-]+/g) ?? [];
    expect(flags.filter((flag) => ![...flagsOf(command), ...flagsOf(run), "--help"].includes(flag))).toEqual([]);
  });

  it("every flag is one of a command", () => {
    const known = new Set([...all(program).flatMap(flagsOf), "--help"]);
    // What a model is told to run with git.
    const told = messages.filter(({ file }) => file !== "work/commands/built-in-commands.ts");
    const named = told.flatMap(({ file, text }) =>
      Array.from(text.matchAll(/(?<![\w-]|node |npm install )--[a-z][\w-]*/g), ([flag]) => ({ file, flag, text })),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(({ flag }) => !known.has(flag))).toEqual([]);
  });

  it("every slash command is one of the chat", () => {
    // Beside the chat, `cogency attach` has one.
    const known = new Set([...slashCommands.map(({ name }) => name), "cancel"]);
    const named = messages.flatMap(({ file, text }) =>
      Array.from(text.matchAll(/(?<=^|[\s(])\/([a-z]{3,})(?=[\s,.;:?)]|$)/gm), ([, name = ""]) => ({
        file,
        name,
        text,
      })),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ name }) => !known.has(name))).toEqual([]);
  });
});

describe("on the pages", () => {
  const pages = ["README.md", ...globSync("apps/cli/{README.md,docs/*.md}", { cwd: repository })];
  const lines = pages.flatMap((page) => commandLines(readFileSync(join(repository, page), "utf8"), page));

  it("there are command lines to look at", () => {
    expect(lines.length).toBeGreaterThan(30);
  });

  it.each(lines)("$line is one that the program takes ($page)", ({ line }) => {
    const words = wordsOf(line);
    const { command: named, rest } = commandOf(words);
    // The program alone, with options, is a chat.
    const command = words.every((word) => word.startsWith("-")) ? chat : named;
    const { operands, unknown } = command.parseOptions([...rest]);
    expect(unknown.filter((word) => word.startsWith("-") && !["--help", "--version", "-"].includes(word))).toEqual([]);
    const { registeredArguments: taken } = command;
    const given = [...operands, ...unknown.filter((word) => !word.startsWith("-"))];
    if (!taken.some(({ variadic }) => variadic)) expect(given.length).toBeLessThanOrEqual(taken.length);
  });
});

/** The lines of shell code, and the texts in backticks, that begin with the program. */
function commandLines(text: string, page: string): { page: string; line: string }[] {
  const blocks = Array.from(text.matchAll(/```(?:sh|bash|console)\n([^`]*)```/g), ([, block = ""]) => block);
  const spans = Array.from(text.matchAll(/`(cogency [^`\n]+)`/g), ([, span = ""]) => span);
  return [...blocks, ...spans].flatMap((block) =>
    block
      .replace(/\\\n\s*/g, "")
      .split("\n")
      .flatMap((line) => /(?:^|[|;&] |\$ |[A-Z_]+=\S* |\$\()(cogency(?: .*)?)$/.exec(line)?.[1] ?? [])
      .map((line) => ({ page, line: line.replace(/ (?:[|<>#]|2>|&&|\)).*$/, "").replace(/\)"?$/, "") })),
  );
}

function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/(?:"[^"]*"|'[^']*'|\S)+/g), ([word]) => word.replace(/["'[\]]/g, ""))
    .filter((word) => word !== "options" && word !== "command")
    .slice(1);
}
