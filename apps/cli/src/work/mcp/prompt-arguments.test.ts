import { describe, expect, it } from "vitest";
import { promptArguments } from "./prompt-arguments.ts";

const argument = (name: string, required = false) => ({ name, required });
const args = [argument("change", true), argument("style")];

describe("words after the name of a prompt", () => {
  it.each([
    ["fill its arguments in their order", "main short", { change: "main", style: "short" }],
    ["leave out what is optional", "main", { change: "main" }],
    ["fill the last argument to the end", "main short and kind", { change: "main", style: "short and kind" }],
    ["fill an argument by its name", "style=kind main", { change: "main", style: "kind" }],
    ["are held together by quotes", '"the main branch" kind', { change: "the main branch", style: "kind" }],
    [
      "are held together by quotes after a name",
      "style='short and kind' main",
      { change: "main", style: "short and kind" },
    ],
    ["are text where no argument has the name before the sign", "a=b", { change: "a=b" }],
  ])("%s", (_, given, found) => {
    expect(promptArguments({ args }, given, "docs:review")).toEqual(found);
  });

  it.each([
    ["one is missing", args, "", "/docs:review needs change. Write /docs:review <change> [style]"],
    ["one is given by another's place", args, "style=kind", "/docs:review needs change."],
    ["there are none", [], "main", '/docs:review takes no "main". Write /docs:review'],
  ])("are refused with the usage if %s", (_, some, given, message) => {
    expect(() => promptArguments({ args: some }, given, "docs:review")).toThrow(message);
  });
});
