import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RecordedCall } from "../record/recorded-calls-of.ts";
import { alignCalls } from "./align-calls.ts";

const calls = (text: string): RecordedCall[] =>
  [...text].map((letter, index) => ({
    id: `${index}`,
    seq: index,
    name: letter.toLowerCase(),
    args: { loud: letter !== letter.toLowerCase() },
    began: true,
    result: undefined,
  }));

const letter = (call: RecordedCall | undefined) => (call?.args.loud ? call.name.toUpperCase() : (call?.name ?? "-"));

const shown = (a: string, b: string) =>
  alignCalls(calls(a), calls(b)).map(({ kind, recorded, made }) => `${kind} ${letter(recorded)}${letter(made)}`);

describe("alignCalls", () => {
  it.each([
    ["abc", "abc", ["same aa", "same bb", "same cc"]],
    ["abc", "aBc", ["same aa", "changed bB", "same cc"]],
    ["abc", "ac", ["same aa", "missing b-", "same cc"]],
    ["ac", "abc", ["same aa", "added -b", "same cc"]],
    ["xab", "aBy", ["missing x-", "same aa", "changed bB", "added -y"]],
    ["", "a", ["added -a"]],
    ["aaa", "aa", ["same aa", "same aa", "missing a-"]],
  ])("of %s and %s", (a, b, expected) => {
    expect(shown(a, b)).toEqual(expected);
  });

  it("has every call of both lists once and in order, and finds the most that are the same", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "A"), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const all = alignCalls(calls(a), calls(b));
        expect(all.flatMap(({ recorded }) => (recorded ? [letter(recorded)] : [])).join("")).toBe(a);
        expect(all.flatMap(({ made }) => (made ? [letter(made)] : [])).join("")).toBe(b);
        expect(all.filter(({ kind }) => kind === "same")).toHaveLength(common(a, b));
      }),
    );
  });
});

/** The length of a longest common subsequence, by its definition. */
function common(a: string, b: string): number {
  if (a === "" || b === "") return 0;
  if (a[0] === b[0]) return 1 + common(a.slice(1), b.slice(1));
  return Math.max(common(a.slice(1), b), common(a, b.slice(1)));
}
