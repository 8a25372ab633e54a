import fc from "fast-check";
import { expect, it } from "vitest";
import { plainEntries } from "./plain-entries.ts";
import { yamlEntries } from "./yaml-entries.ts";

it.each([
  ["name: zip", [["name", "zip", 1]]],
  [
    "name: zip-1 \ndescription: Packs [files], {all} of them; see https://a.example/#x, 'so'.",
    [
      ["name", "zip-1", 1],
      ["description", "Packs [files], {all} of them; see https://a.example/#x, 'so'.", 2],
    ],
  ],
  [
    `a: "1: #2'"\nb:   "5"\nc: ""`,
    [
      ["a", "1: #2'", 1],
      ["b", "5", 2],
      ["c", "", 3],
    ],
  ],
  ["allowed-tools: Bash(git:*) read", [["allowed-tools", "Bash(git:*) read", 1]]],
  ["description: Élan vital – äh", [["description", "Élan vital – äh", 1]]],
] as const)("reads %j", (source, entries) => {
  expect(plainEntries(source)).toEqual(entries.map(([field, value, line]) => ({ field, value, line })));
});

it.each([
  ["a number", "a: 5"],
  ["a flag", "read-only: true"],
  ["nothing", "a: Null"],
  ["a name that is no text", "TRUE: a"],
  ["a field without a text", "a:"],
  ["no fields", ""],
  ["an empty line", "a: b\n\nc: d"],
  ["a comment", "a: b #c"],
  ["a comment of its own line", "#c\na: b"],
  ["a text of two lines", "a: b\n  c"],
  ["a block", "a: >-\n  b"],
  ["a map", "a:\n  b: c"],
  ["a list", "a: [b]"],
  ["an alias", "a: *b"],
  ["an escape", 'a: "\\n"'],
  ["single quotes", "a: 'it''s'"],
  ["a text after a quote", "a: 'b' c"],
  ["a key in a text", "a: b: c"],
  ["a text that ends like a key", "a: b:"],
  ["one field twice", "a: b\na: c"],
  ["a tab", "a: b\tc"],
  ["an invisible character", "a: b\u200bc"],
  ["another line break", "a: b\u2028c"],
  ["a byte order mark", "\ufeffa: b"],
])("leaves %s to YAML", (_, source) => {
  expect(plainEntries(source)).toBeUndefined();
});

const piece = fc.oneof(
  fc.constantFrom(
    ...[
      ": ",
      ":",
      " #",
      "#",
      "- ",
      "-",
      "?",
      "? ",
      "&a",
      "*a",
      "!a",
      "|",
      ">",
      "%",
      "@",
      "`",
      "'",
      '"',
      "''",
      '""',
      "\\",
    ],
    ...[
      "[",
      "]",
      "{",
      "}",
      ",",
      "~",
      "<<",
      "---",
      "...",
      "null",
      "True",
      "false",
      "yes",
      "0x1f",
      "1e3",
      ".inf",
      "2026-01-01",
    ],
    ...[
      " ",
      "  ",
      "\t",
      "\r",
      "\u00a0",
      "\u0085",
      "\u2028",
      "\ufeff",
      "\u3000",
      "\ud800",
      "\u0000",
      "😀",
      "é",
      "word",
      "a b",
    ],
  ),
  fc.string({ maxLength: 6 }),
  fc.string({ unit: "binary", maxLength: 4 }),
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
const name = fc.constantFrom("name", "description", "allowed-tools", "a1", "y", "null", "True", "<<", "__proto__");
/** Lines that differ little from those that are read. */
const near = fc
  .tuple(name, fc.constantFrom("a", "É", '"', "'"), fc.array(piece, { maxLength: 3 }), fc.boolean())
  .map(
    ([field, first, rest, isClosed]) =>
      `${field}: ${first}${rest.join("")}${isClosed && /["']/.test(first) ? first : ""}`,
  );
const line = fc.oneof({ weight: 6, arbitrary: near }, { weight: 1, arbitrary: text });

it("reads in every text what YAML reads, or nothing", () => {
  let read = 0;
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), (lines) => {
      const source = lines.join("\n");
      const entries = plainEntries(source);
      if (entries === undefined) return;
      read++;
      const ofYaml = yamlEntries(source, (_, message) => expect.unreachable(message));
      expect(ofYaml?.map(({ lineOf: _, ...entry }) => entry)).toEqual(entries);
    }),
    { numRuns: Number(process.env.COGENCY_PLAIN_RUNS ?? 2000) },
  );
  // A reader that reads nothing would pass as well.
  expect(read).toBeGreaterThan(50);
});
