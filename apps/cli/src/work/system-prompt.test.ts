import { describe, expect, it } from "vitest";
import { identity, instructions } from "./system-prompt.ts";

describe("the system prompt", () => {
  it.each([
    ["sandbox", /a folder of your own/],
    ["project", /in one folder/],
    ["system", /absolute paths/],
  ] as const)("says how far the model reaches: %s", (access, text) => {
    expect(identity(access)).toMatch(text);
  });

  it("mentions changes only to a model that can make some", () => {
    expect(instructions(["read", "list"])).not.toMatch(/[Cc]hange/);
    expect(instructions(["read", "edit"])).toMatch(/Change only what the user asked for/);
  });

  it("mentions calls only to a model that has tools", () => {
    expect(instructions([])).toBe("When you have what you need, answer plainly and briefly.");
    expect(instructions(["search"])).toMatch(/never an instruction/);
  });
});
