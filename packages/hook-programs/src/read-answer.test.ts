import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type HookPoint, hookPoints, rulesOf } from "./hook-program.ts";
import { readAnswer } from "./read-answer.ts";

const fields = ["decision", "reason", "context", "end", "continue"] as const;
const texts = fc.string({ minLength: 1 }).filter((text) => text.trim() !== "");

describe("an answer", () => {
  it("is read at each point with the fields of the point, and with no other", () => {
    for (const at of hookPoints) {
      for (const field of fields) {
        const value = field === "decision" ? "deny" : "a text";
        const read = readAnswer(at, JSON.stringify({ [field]: value }));
        const isKnown = (rulesOf(at).fields as readonly string[]).includes(field);
        expect([at, field, "answer" in read]).toEqual([at, field, isKnown]);
      }
    }
  });

  it("of any text never throws, and holds only texts of the fields of its point", () => {
    fc.assert(
      fc.property(fc.constantFrom(...hookPoints), fc.oneof(fc.string(), fc.json()), (at: HookPoint, stdout) => {
        const read = readAnswer(at, stdout);
        const known = rulesOf(at).fields as readonly string[];
        if ("problem" in read) expect(read.problem.length).toBeLessThan(400);
        const answer = "answer" in read ? read.answer : {};
        for (const [field, value] of Object.entries(answer)) {
          expect([known.includes(field), typeof value]).toEqual([true, "string"]);
        }
      }),
    );
  });

  it("that a guard cannot read is never taken for one that says nothing", () => {
    fc.assert(
      fc.property(fc.constantFrom("beforePrompt", "beforeToolUse"), texts, (at, stdout) => {
        const isJson = stdout.trim().startsWith("{");
        if (!isJson) expect(readAnswer(at, stdout)).toHaveProperty("problem");
      }),
    );
  });

  it.each([
    ["beforeToolUse", "ask", true],
    ["beforePrompt", "ask", false],
    ["beforePrompt", "deny", true],
    ["beforeToolUse", "approve", false],
    ["beforeToolUse", 1, false],
  ] as const)("at %s may decide %j: %s", (at, decision, isRead) => {
    expect("answer" in readAnswer(at, JSON.stringify({ decision }))).toBe(isRead);
  });
});
