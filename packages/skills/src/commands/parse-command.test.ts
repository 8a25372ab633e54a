import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCommand } from "./parse-command.ts";

const file = (front: string, body = "Do it.") => `---\n${front}\n---\n${body}\n`;

describe("parseCommand", () => {
  it("reads the fields of a command", () => {
    const front =
      "description: Fixes an issue.\nargument-hint: '[issue]'\nallowed-tools: Bash(git diff:*), Read\nread-only: true";
    expect(parseCommand(file(front, "Fix $1."), "team/fix")).toEqual({
      command: {
        name: "team/fix",
        description: "Fixes an issue.",
        argumentHint: "[issue]",
        text: "Fix $1.",
        allowedTools: ["Bash(git diff:*)", "Read"],
        isReadOnly: true,
      },
      problems: [],
    });
  });

  it("needs no front matter: the first line says what it does", () => {
    const { command } = parseCommand("\n# Tidy up\n\nThe imports.", "tidy");
    expect(command).toEqual({ name: "tidy", description: "Tidy up", text: "# Tidy up\n\nThe imports." });
  });

  it.each<[string, string, object]>([
    ["Claude Code's model", "model: claude-opus-4", { ignored: ["model"] }],
    ["Claude Code's hint without quotes", "argument-hint: [file]", { argumentHint: "[file]" }],
    [
      "Claude Code's list of tools",
      "allowed-tools:\n  - Bash(git add:*)\n  - Read",
      { allowedTools: ["Bash(git add:*)", "Read"] },
    ],
    ["opencode's agent that changes nothing", "agent: plan", { isReadOnly: true }],
    ["opencode's usual agent", "agent: build\nsubtask: true", { ignored: ["subtask"] }],
    ["what people note", "author: Ada\nversion: 1.0\ntags: [a, b]", { ignored: ["author", "version", "tags"] }],
  ])("understands %s", (_, front, fields) => {
    expect(parseCommand(file(front), "x")).toEqual({
      command: { name: "x", description: "Do it.", text: "Do it.", ...fields },
      problems: [],
    });
  });

  it.each<[string, string, string, [code: string, line: number, message: RegExp]]>([
    ["another agent", "x", file("description: a\nagent: reviewer"), ["field_invalid", 3, /build and plan/]],
    ["hooks, which would run something", "x", file("hooks:\n  Stop: rm"), ["field_unknown", 2, /"hooks" is no field/]],
    ["tools that are forbidden", "x", file("disallowed-tools: Bash"), ["field_unknown", 2, /no field of a command/]],
    ["half of an entry", "x", file('allowed-tools: "Bash(git"'), ["field_invalid", 2, /Close each parenthesis/]],
    ["a flag that is a text", "x", file("read-only: maybe"), ["field_invalid", 2, /true or false/]],
    ["no text", "x", file("description: a", ""), ["text_empty", 4, /instructions/]],
    ["an empty file", "x", " \n", ["text_empty", 1, /no text/]],
    ["an open front matter", "x", "---\ndescription: a", ["front_matter_missing", 1, /---/]],
    [
      "a front matter of a megabyte",
      "x",
      file(`description: ${"x".repeat(1e6)}`),
      ["front_matter_invalid", 2, /16384/],
    ],
    ["a long description", "x", file(`description: ${"x".repeat(1025)}`), ["field_invalid", 2, /1025.*1024/]],
    ...["", "a b", "../x", "a//b", "-x", "a/.b", "x".repeat(65), "fix\u001b[2J", "a:b"].map(
      (name): [string, string, string, [string, number, RegExp]] => [
        `the name ${JSON.stringify(name)}`,
        name,
        "Do it.",
        ["name_invalid", 1, /cannot be typed/],
      ],
    ),
  ])("leaves out what has %s, with the line", (_, name, text, [code, line, message]) => {
    const { command, problems } = parseCommand(text, name);
    expect(command).toBeUndefined();
    expect(problems).toEqual([{ code, line, message: expect.stringMatching(message) }]);
  });

  it("reads any text without an exception, and gives either a command or a reason", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom("---", "agent: plan", "allowed-tools: *a", "&a [1]"), fc.string())),
        (lines) => {
          const { command, problems } = parseCommand(lines.join("\n"), "x");
          expect(command === undefined).toBe(problems.length > 0);
        },
      ),
    );
  });
});
