import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expandCommand } from "./expand-command.ts";

describe("expandCommand", () => {
  it.each([
    ["Fix $ARGUMENTS.", "the bug", "Fix the bug."],
    ["Fix $@ and \\$1.", "the bug", "Fix the bug and $1."],
    ["$1: $2", "12 'very high'", "12: very high"],
    ["Open $FILE in $EDITOR.", 'FILE="a b.ts"', "Open a b.ts in $EDITOR."],
    ["Open $FILE.", "FILE=a.ts", "Open a.ts."],
    ["Look at @src/$1.ts", "main", "Look at @src/main.ts"],
    ["It's $1.", "it's", "It's it's."],
    ["No place.", "src", "No place.\n\nArguments: src"],
    ["$HOME stays.", "", "$HOME stays."],
  ])("makes of %j with %j: %j", (text, given, prompt) => {
    expect(expandCommand({ text }, given)).toBe(prompt);
  });

  it("asks the model to run what other agents would run by themselves", () => {
    expect(expandCommand({ text: "Changes: !`git diff $1`\nAgain (!`git diff $1`), not a!`b`." }, "main")).toBe(
      "Run these commands first, with the tool shell:\n\n- `git diff main`\n\n" +
        "Changes: (the output of `git diff main`)\nAgain ((the output of `git diff main`)), not a!`b`.",
    );
  });

  it("takes nothing of the arguments for a command or for a place", () => {
    expect(expandCommand({ text: "$1 $2" }, "'!`rm -rf .`' $ARGUMENTS")).toBe("!`rm -rf .` $ARGUMENTS");
    fc.assert(
      fc.property(fc.string(), (given) => {
        expect(expandCommand({ text: "<$ARGUMENTS>" }, given)).toBe(`<${given}>`);
      }),
    );
  });
});
