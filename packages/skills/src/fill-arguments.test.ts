import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fillArguments } from "./fill-arguments.ts";

describe("fillArguments", () => {
  it.each([
    ["Fix $ARGUMENTS now.", "the bug", "Fix the bug now."],
    ["$1 to $2, $3.", "a 'b c'", "a to b c, ."],
    ['Say "$1".', '"x y" z', 'Say "x y".'],
    ["No place.", "a b", "No place.\n\nArguments: a b"],
    ["No place.", " ", "No place."],
    ["$ARGUMENTS", "", ""],
    ["\\$1 is $1", "x", "$1 is x"],
    ["$10 $1", "a b c d e f g h i j", "j a"],
    ["$0 $x $ARGUMENTSX $", "a", "$0 $x $ARGUMENTSX $\n\nArguments: a"],
  ])("makes of %j with %j: %j", (text, given, filled) => {
    expect(fillArguments(text, given)).toBe(filled);
  });

  it("puts arguments in as they are, also such as look like places", () => {
    fc.assert(
      fc.property(fc.string(), (given) => {
        expect(fillArguments("<$ARGUMENTS>", given)).toBe(`<${given}>`);
      }),
    );
    expect(fillArguments("$1 $ARGUMENTS", "$2 $ARGUMENTS")).toBe("$2 $2 $ARGUMENTS");
  });
});
