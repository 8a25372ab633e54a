import { describe, expect, it } from "vitest";
import { nearPlaces } from "./near-places.ts";

describe("nearPlaces", () => {
  const code = `import { a } from "./a.ts";

export function first(value: string): string {
  const trimmed = value.trim();
  return trimmed.toLowerCase();
}

export function second(value: string): number {
    return Number(value);
}
`;

  it.each<[what: string, wanted: string, line: number, difference: string | undefined]>([
    ["a letter", "  const trimed = value.trim();", 4, undefined],
    ["a word", "export function second(value: string): string {", 3, undefined],
    ["one line of several", "  const trimmed = value.trimEnd();\n  return trimmed.toLowerCase();\n}", 4, undefined],
    ["indentation", "\treturn trimmed.toLowerCase();\n}", 5, "indentation"],
    ["indentation of several lines", "const trimmed = value.trim();\nreturn trimmed.toLowerCase();", 4, "indentation"],
    ["white space within a line", "  return  Number( value );", 9, "white space"],
    ["line ends", "}\r\n\r\nexport function second", 6, "line ends"],
    ["letter case", "export FUNCTION second(value: string): number {", 8, undefined],
  ])("finds the place that differs in %s", (_, wanted, line, difference) => {
    expect(nearPlaces(code, wanted, 3)[0]).toMatchObject({ line, difference });
  });

  it("returns the lines unchanged", () => {
    expect(nearPlaces(code, "return  Number(value)", 1)[0]?.text).toBe("    return Number(value);");
    expect(nearPlaces("a long line\r\nanother\r\n", "a lon line", 1)[0]?.text).toBe("a long line");
  });

  it("returns several similar places, each once", () => {
    const found = nearPlaces("let one = 1;\n\nlet ones = 1;\n\nlet onces = 1;\n", "let onee = 1;", 3);
    expect(found.map(({ line }) => line).sort()).toEqual([1, 3, 5]);
  });

  it.each(["", "a", "zzzz qqqq wwww", "\n\n\n"])("finds nothing like %j", (wanted) => {
    expect(nearPlaces(code, wanted, 3)).toEqual([]);
  });

  it("finds nothing in an empty text, nor a longer text in a shorter one by mistake", () => {
    expect(nearPlaces("", "abc", 3)).toEqual([]);
    expect(nearPlaces("abcdef", "abcdef\n".repeat(50), 3)).toEqual([]);
  });

  it("takes one pass over a large text", () => {
    const lines = Array.from({ length: 30_000 }, (_, line) => `  const value${line} = compute(${line});\n`).join("");
    const [found] = nearPlaces(lines, "const value29999 = compute(29998);\nconst more = 1;", 1);
    expect(found?.line).toBeGreaterThan(29_000);
  });
});
