import { describe, expect, it } from "vitest";
import { outcomeOf, place } from "./support/command-line.ts";

const offline = ["--provider", "offline"];

describe("piped text", () => {
  it("is not waited for where a program left the pipe open, which stderr says", async () => {
    const child = place().start(["read notes.txt", ...offline], { keepsInput: true });
    const { code, stdout, stderr } = await outcomeOf(child);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("hello from the notes") });
    expect(stderr).toContain("Stdin is open, but nothing came for 2 s");
  });
});
