import { describe, expect, it } from "vitest";
import { callOf } from "../call-content.ts";
import { parseSync } from "../parse/parse.ts";
import { parseResults } from "../results.ts";
import { formatResults } from "./blocks.ts";

describe("large values", () => {
  const text = `${'line "q" with 1234567890123456 and \\ in it '.repeat(300_000)}${" ".repeat(1_000_000)}.`;

  it("are written and read back as results, beside integers beyond the safe range", () => {
    const results = [{ tool: "a", status: "success" as const, content: { text, n: 2 ** 60, "k\n": [-(2 ** 70)] } }];
    expect(JSON.stringify(parseResults(formatResults(results))) === JSON.stringify(results)).toBe(true);
  });

  it("are read as arguments, beside keys with escapes", () => {
    const block = `<execute>[{"name":"w","args":{"\\u0061":${JSON.stringify(text)}}}]</execute>`;
    const [call] = parseSync(block);
    expect(call?.type).toBe("call");
    expect(callOf(call as never).args.a === text).toBe(true);
  });
});
