import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { validate } from "skills-ref";
import { describe, expect, it } from "vitest";
import { parseSkill } from "./parse-skill.ts";

const file = (front: string, body = "Do it.") => `---\n${front}\n---\n${body}\n`;
const usual = "name: review\ndescription: Reviews a change. Use it before a merge.";

describe("parseSkill", () => {
  it("reads all fields of the format", () => {
    const front = `${usual}\nlicense: MIT\ncompatibility: Needs git\nallowed-tools: read Bash(git diff:*), Bash(git log)\nmetadata:\n  author: me\n  version: "1.0"`;
    expect(parseSkill(file(front, "# Review\n\nRead $1."), "review")).toEqual({
      skill: {
        name: "review",
        description: "Reviews a change. Use it before a merge.",
        text: "# Review\n\nRead $1.",
        license: "MIT",
        compatibility: "Needs git",
        allowedTools: ["read", "Bash(git diff:*)", "Bash(git log)"],
        metadata: { author: "me", version: "1.0" },
      },
      problems: [],
    });
  });

  it.each([
    ["line ends of Windows", file(usual).replaceAll("\n", "\r\n")],
    ["a byte order mark", `\uFEFF${file(usual)}`],
    ["blanks behind the markers", file(usual).replaceAll("---", "---  ")],
    ["a line of dashes in the text", file(usual, "a\n---\nb")],
    ["a name of other letters", file(usual.replace("review", "проверка-2"))],
    ["parentheses within parentheses", file(`${usual}\nallowed-tools: Bash(git commit -m "(x)"), read`)],
    ["a list of tools", file(`${usual}\nallowed-tools: [read, find]`)],
  ])("reads %s", (_, text) => {
    expect(parseSkill(text)).toMatchObject({ skill: { text: expect.anything() }, problems: [] });
  });

  it.each<[string, string, [code: string, line: number, message: RegExp]]>([
    ["no front matter", "# Review", ["front_matter_missing", 1, /"---"/]],
    ["an open front matter", `---\n${usual}`, ["front_matter_missing", 1, /---/]],
    ["no text at all", "", ["front_matter_missing", 1, /---/]],
    ["YAML that is none", file("name: [a\ndescription: b"), ["front_matter_invalid", 3, /YAML/]],
    [
      "a colon in a description",
      file("name: a\ndescription: Use it: now"),
      ["front_matter_invalid", 3, /put a value with ": " in quotes/],
    ],
    ["a key twice", file(`${usual}\nname: other`), ["front_matter_invalid", 4, /unique/i]],
    ["a list in place of fields", file("- name"), ["front_matter_invalid", 2, /fields/]],
    ["an unknown field", file(`${usual}\nmodel: gpt`), ["field_unknown", 4, /"model".*metadata/]],
    ["no name", file("description: b"), ["field_missing", 1, /name/]],
    ["no description", file("name: review"), ["field_missing", 1, /description/]],
    ["a name in capitals", file(usual.replace("review", "Review")), ["field_invalid", 2, /lower case: "review"/]],
    ["a name with blanks", file(usual.replace("review", "re view")), ["field_invalid", 2, /letters, digits/]],
    ["two hyphens", file(usual.replace("review", "re--view")), ["field_invalid", 2, /between two words/]],
    ["a hyphen at the end", file(usual.replace("review", "review-")), ["field_invalid", 2, /between two words/]],
    ["a long name", file(usual.replace("review", "r".repeat(65))), ["field_invalid", 2, /65 characters.*64/]],
    ["a path as a name", file(usual.replace("review", "../x")), ["field_invalid", 2, /letters, digits/]],
    ["the name of another folder", file(usual.replace("review", "check")), ["field_invalid", 2, /"review"/]],
    ["a description that is a number", file("name: review\ndescription: 5"), ["field_invalid", 3, /quotes.*"5"/]],
    ["an empty description", file("name: review\ndescription: ''"), ["field_invalid", 3, /empty/]],
    ["a long description", file(`name: review\ndescription: ${"x".repeat(1025)}`), ["field_invalid", 3, /1025.*1024/]],
    [
      "metadata that is a number",
      file(`${usual}\nmetadata:\n  version: 1.0`),
      ["field_invalid", 5, /quotes: version: "1"/],
    ],
    ["metadata that is a text", file(`${usual}\nmetadata: x`), ["field_invalid", 4, /map/]],
    ["a long compatibility", file(`${usual}\ncompatibility: ${"x".repeat(501)}`), ["field_invalid", 4, /501.*500/]],
    ["tools that are a number", file(`${usual}\nallowed-tools: 5`), ["field_invalid", 4, /read Bash/]],
    ...["Bash(git:*", "Bash git)", "Bash(", "Bash()", "Bash(a)b", "(git:*)", "read (git log)", "Bash(a)(b)"].map(
      (entry): [string, string, [string, number, RegExp]] => [
        `the half of an entry, ${entry}`,
        file(`${usual}\nallowed-tools: "${entry}"`),
        ["field_invalid", 4, /Close each parenthesis/],
      ],
    ),
    ["no tool at all", file(`${usual}\nallowed-tools: [read, 5]`), ["field_invalid", 4, /allowed-tools/]],
    ["no instructions", file(usual, "  \n"), ["text_empty", 5, /instructions/]],
    [
      "a front matter of a megabyte",
      file(`${usual}\nlicense: ${"x".repeat(1e6)}`),
      ["front_matter_invalid", 2, /16384/],
    ],
  ])("names %s with its line", (_, text, [code, line, message]) => {
    const { skill, problems } = parseSkill(text, "review");
    expect(skill).toBeUndefined();
    expect(problems).toEqual([{ code, line, message: expect.stringMatching(message) }]);
  });

  it("names every fault, in the order of the lines", () => {
    const { problems } = parseSkill(file("name: A--b\nmodel: x\ndescription: 1", ""), "a");
    expect(problems.map(({ code, line }) => `${line} ${code}`)).toEqual([
      "2 field_invalid",
      "3 field_unknown",
      "4 field_invalid",
      "6 text_empty",
    ]);
  });

  it("does not grow what aliases repeat", () => {
    const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]"];
    for (let depth = 0; depth < 12; depth++)
      bomb.push(`${"bcdefghijklm"[depth]}: &${"bcdefghijklm"[depth]} [${`*${"abcdefghijkl"[depth]},`.repeat(9)}]`);
    const { skill, problems } = parseSkill(
      file(`${usual}\n${bomb.join("\n")}\nmetadata: { x: *m }\nallowed-tools: *m`),
    );
    expect(skill).toBeUndefined();
    expect(JSON.stringify(problems).length).toBeLessThan(10_000);
  });

  it("reads any text without an exception, and gives either a skill or a reason", () => {
    const line = fc.oneof(
      fc.constantFrom(
        "---",
        "name: a",
        "description: b",
        "metadata:",
        "  x: y",
        "allowed-tools: *a",
        "&a [1]",
        "? x",
        "!!js/function x",
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const { skill, problems } = parseSkill(`---\n${lines.join("\n")}`);
        expect(skill === undefined).toBe(problems.length > 0);
      }),
    );
  });
});

describe("beside the reference library of the format", () => {
  // What the reference library lets pass: values that are no texts, and a file without instructions.
  const stricter = [
    "description: 5",
    "metadata:\n  x: 1",
    "license: 5",
    "",
    "compatibility: ''",
    "license: ''",
    "metadata: x",
    "allowed-tools: 5",
  ];
  const parts = {
    name: ["name: x", "name: Xy", "name: x--y", "name: -x", "name: other", "", "name: 'x y'", "name: x\nname: x"],
    description: ["description: Does x.", "", `description: ${"d".repeat(1025)}`, "description: ''", "description: 5"],
    more: [
      "",
      "license: MIT",
      "model: y",
      "compatibility: ok",
      `compatibility: ${"c".repeat(501)}`,
      "metadata:\n  x: 1",
      "metadata:\n  x: y",
      "allowed-tools: read",
      "- x",
      "a: [b",
    ],
    body: ["Do it.", ""],
  };

  /** Files of which at most two parts are not the usual ones. */
  function textsOfTwo(): Set<string> {
    const usualParts = { name: parts.name[0], description: parts.description[0], more: "", body: "Do it." };
    const varied = Object.entries(parts).flatMap(([part, values]) => values.map((value) => ({ [part]: value })));
    const files = varied.flatMap((one) => varied.map((other) => ({ ...usualParts, ...one, ...other })));
    return new Set(
      files.map(({ name, description, more, body }) =>
        file([name, description, more].filter(Boolean).join("\n"), body),
      ),
    );
  }

  it("a skill that it refuses is refused, and one that is refused here alone is named with its reason", async () => {
    const folder = await mkdtemp(join(tmpdir(), "skills-"));
    try {
      await mkdir(join(folder, "x"));
      let refused = 0;
      for (const text of textsOfTwo()) {
        await writeFile(join(folder, "x", "SKILL.md"), text);
        const theirs = await validate(join(folder, "x"));
        const { problems } = parseSkill(text, "x");
        if (theirs.length > 0) expect([text, theirs, problems]).not.toEqual([text, theirs, []]);
        else if (problems.length > 0) {
          refused++;
          const isKnown = problems.every(({ code }) => ["text_empty", "field_invalid"].includes(code));
          expect([text, problems, isKnown]).toEqual([text, problems, true]);
          expect(stricter.some((one) => (one === "" ? text.endsWith("---\n\n") : text.includes(one)))).toBe(true);
        }
      }
      expect(refused).toBeGreaterThan(0);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
