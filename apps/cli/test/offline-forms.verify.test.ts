import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { place } from "./support/command-line.ts";

/** The ways in which a model may be asked. */
const ways: readonly (readonly string[])[] = [
  [],
  ["--dialect", "xml"],
  ["--start-in", "think"],
  ["--dialect", "xml", "--start-in", "think", "--repair"],
  ["--driver", "native"],
  ["--driver", "react"],
  ["--driver", "auto"],
  ["--driver", "react", "--stream", "none"],
];

/** A prompt with the options that it needs, and the answer. */
const prompts: readonly (readonly [args: readonly string[], answer: RegExp])[] = [
  [["list . and read notes.txt"], /- `notes\.txt`(?:.|\n)*hello from the notes/],
  [["hello"], /^I do not understand `hello`\. I am `offline-1`/],
  [["write 'x' to a.txt and read a.txt", "--yes"], /`a\.txt`/],
  [["read notes.txt", "--tools", "list"], /^I have no tool named `read`/],
];

const text = { type: "string" };
const schemas: Readonly<Record<string, object>> = {
  "an object": {
    type: "object",
    properties: {
      summary: text,
      files: { type: "integer", minimum: 1 },
      code: { ...text, pattern: "^[A-Z]{3}-\\d+$" },
      state: {
        oneOf: [{ type: "object", properties: { kind: { const: "a" } }, required: ["kind"] }, { type: "null" }],
      },
    },
    required: ["summary", "files", "code", "state"],
    additionalProperties: false,
  },
  "a list": { type: "array", items: text, minItems: 2, uniqueItems: true },
};

describe("the offline model", () => {
  const cases = ways.flatMap((way) =>
    prompts.map(([args, answer]) => ({ way: way.join(" "), args, answer, all: way })),
  );
  it.each(cases)("answers $args with the options: $way", async ({ args, answer, all }) => {
    const { code, stdout, stderr } = await place().cogency(["run", "--provider", "offline", ...args, ...all]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(answer) });
    expect(stderr).not.toMatch(/^(?:!|error:)/m);
    expect(stdout).not.toMatch(/<(?:end|think|execute)>/);
  });

  const forms = ways.flatMap((way) => Object.keys(schemas).map((name) => ({ way: way.join(" "), name, all: way })));
  it.each(forms)("fills $name after its calls with the options: $way", async ({ name, all }) => {
    const at = place();
    writeFileSync(join(at.folder, "schema.json"), JSON.stringify(schemas[name]));
    const run = ["run", "--provider", "offline", "read notes.txt", "--schema", "schema.json"];
    // The two exclude each other.
    const { code, stdout, stderr } = await at.cogency([
      ...run,
      ...all.filter((word) => !/^(?:--stream|none)$/.test(word)),
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("✓ read") });
    expect(stderr).not.toMatch(/^(?:!|error:)/m);
    JSON.parse(stdout);
  });
});
