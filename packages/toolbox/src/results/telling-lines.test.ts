import { describe, expect, it } from "vitest";
import { mostTellingLine, tellingLines } from "./telling-lines.ts";

const passing = Array.from({ length: 30 }, (_, n) => `✔ works ${n} (0.2ms)`);
const stack = Array.from({ length: 12 }, (_, n) => `    at step (file:///srv/a.js:${n}:1)`);

const outputs: Readonly<Record<string, { printed: readonly string[]; tells: readonly string[] }>> = {
  "node --test": {
    printed: [
      ...passing,
      "✖ adds two numbers (1.9ms)",
      "ℹ tests 31",
      "ℹ fail 1",
      "✖ failing tests:",
      "test at a.test.js:3:1",
      "✖ adds two numbers (1.9ms)",
      "  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
      ...stack,
      "    operator: 'strictEqual'",
      "  }",
    ],
    tells: [
      "✖ adds two numbers (1.9ms)",
      "  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
      "    operator: 'strictEqual'",
      "  }",
    ],
  },
  TAP: {
    printed: [
      ...Array.from({ length: 30 }, (_, n) => `ok ${n} - works`),
      "not ok 31 - adds",
      "  ---",
      ...stack,
      "1..31",
      "# fail 1",
    ],
    tells: ["not ok 31 - adds", "# fail 1"],
  },
  vitest: {
    printed: [
      ...passing,
      " FAIL  src/a.test.ts > adds two numbers",
      "AssertionError: expected 3 to be 4",
      ...stack,
      " Tests  1 failed | 30 passed (31)",
    ],
    tells: [
      " FAIL  src/a.test.ts > adds two numbers",
      "AssertionError: expected 3 to be 4",
      " Tests  1 failed | 30 passed (31)",
    ],
  },
  pytest: {
    printed: [
      ...passing,
      "    def test_add():",
      ">       assert add(1, 2) == 4",
      "E       assert 3 == 4",
      ...stack,
      "FAILED tests/test_a.py::test_add - assert 3 == 4",
      "1 failed",
    ],
    tells: ["E       assert 3 == 4", "FAILED tests/test_a.py::test_add - assert 3 == 4"],
  },
  cargo: {
    printed: [
      ...passing,
      "error[E0308]: mismatched types",
      "  --> src/main.rs:4:5",
      ...stack,
      'error: could not compile `a` (bin "a") due to 1 previous error',
    ],
    tells: ["error[E0308]: mismatched types", 'error: could not compile `a` (bin "a") due to 1 previous error'],
  },
  go: {
    printed: [
      ...passing,
      "--- FAIL: TestAdd (0.00s)",
      "    a_test.go:7: got 3, want 4",
      ...stack,
      "FAIL\texample.com/a\t0.002s",
    ],
    tells: ["--- FAIL: TestAdd (0.00s)", "FAIL\texample.com/a\t0.002s"],
  },
  tsc: {
    printed: [
      "src/a.ts(3,4): error TS2322: Type 'string' is not assignable to type 'number'.",
      ...stack,
      "Found 1 error.",
    ],
    tells: ["src/a.ts(3,4): error TS2322: Type 'string' is not assignable to type 'number'.", "Found 1 error."],
  },
};

describe("the lines of a failed command that tell most", () => {
  it.each(Object.entries(outputs))(
    "are those of %s that say what failed, and the last ones",
    (_, { printed, tells }) => {
      const lines = tellingLines(printed.join("\n"), 6);
      for (const line of tells) expect(lines).toContain(line);
      expect(lines.filter((line) => typeof line === "string")).toHaveLength(6);
      const hidden = lines.reduce((sum: number, line) => (typeof line === "number" ? sum + line : sum + 1), 0);
      expect(hidden).toBe(printed.length);
      expect(mostTellingLine(printed.join("\n"))).toBe(tells[0]?.trim());
    },
  );

  it.each<[string, number, (string | number)[]]>([
    ["a\nb\nc", 2, ["a", "b", "c"]],
    ["a\nb\nc\nd", 2, [2, "c", "d"]],
    ["Error: no\nb\nc\nd\ne", 2, ["Error: no", 3, "e"]],
    ["a\nError: no\nc\nd\ne", 2, [1, "Error: no", 2, "e"]],
    ["", 2, [""]],
  ])("of %j, about %i, are %j", (text, most, lines) => {
    expect(tellingLines(text, most)).toEqual(lines);
  });

  it.each([
    ["x\nno such file", "no such file"],
    ["something fails\n  }\n", "something fails"],
    ["}\n", ""],
    ["0 errors: none\nall is well", "all is well"],
  ])("the one line of %j is %j", (text, line) => {
    expect(mostTellingLine(text)).toBe(line);
  });
});
