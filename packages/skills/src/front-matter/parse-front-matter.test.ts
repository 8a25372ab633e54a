import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textField, textsField, toolsField } from "./fields.ts";
import { parseFrontMatter } from "./parse-front-matter.ts";

interface Values {
  title: string;
  labels: Readonly<Record<string, string>>;
  tools: readonly string[];
}

const fields = { title: textField({ most: 20, isRequired: true }), labels: textsField, tools: toolsField };
const read = (text: string) => parseFrontMatter<Values>(text, { kind: "note", fields });

describe("parseFrontMatter", () => {
  it("reads the fields that a format declares, and the text below", () => {
    expect(read("---\ntitle: A\nlabels: { a: b }\ntools: read Bash(git log:*)\n---\n\nText.\n")).toEqual({
      values: { title: "A", labels: { a: "b" }, tools: ["read", "Bash(git log:*)"] },
      ignored: [],
      text: "Text.",
      problems: [],
    });
  });

  it("names each fault with its line", () => {
    const { problems } = read("---\nlabels:\n  a: b\n  c: 5\nother: x\n---\n");
    expect(problems.map(({ line, code }) => `${line} ${code}`)).toEqual([
      "1 field_missing",
      "4 field_invalid",
      "5 field_unknown",
      "7 text_empty",
    ]);
    expect(problems[2]?.message).toBe('"other" is no field of a note. There are title, labels, tools.');
  });

  it("lets the format say which unknown fields are harmless, and why another one is a fault", () => {
    const unknown = (field: string, value: unknown) =>
      field === "color" ? undefined : `${field} is ${String(value)}.`;
    const { ignored, problems } = parseFrontMatter<Values>("---\ntitle: A\ncolor: red\nsize: 5\n---\nText.", {
      kind: "note",
      fields,
      unknown,
    });
    expect(ignored).toEqual(["color"]);
    expect(problems).toEqual([{ code: "field_unknown", line: 4, message: "size is 5." }]);
  });

  it.each([
    ["Text.", "Text.", []],
    ["---\n---\nText.", "Text.", []],
    ["", "", ["1 text_empty"]],
    ["---\nText.", "", ["1 front_matter_missing"]],
  ])("takes %j as a text without fields if a format allows that", (text, body, faults) => {
    const optional = { kind: "note", fields: { labels: textsField }, isOptional: true };
    const found = parseFrontMatter<Pick<Values, "labels">>(text, optional);
    expect(found.text).toBe(body);
    expect(found.problems.map(({ line, code }) => `${line} ${code}`)).toEqual(faults);
  });

  it("takes no alias, however much it stands for", () => {
    const { problems } = read("---\ntitle: A\nx: &x [y, y]\ntools: *x\nlabels: { a: *x }\n---\nText.");
    expect(problems.map(({ line, code }) => `${line} ${code}`)).toEqual([
      "3 field_unknown",
      "4 field_invalid",
      "5 field_invalid",
    ]);
  });

  it("takes no field of a prototype for one of the format", () => {
    const { values, problems } = read("---\ntitle: A\n__proto__: { tools: read }\nconstructor: x\n---\nText.");
    expect(values).toEqual({ title: "A" });
    expect(problems.map(({ code }) => code)).toEqual(["field_unknown", "field_unknown"]);
  });

  it("answers a flood of faults with the first 50", () => {
    expect(read(`---\n${"x: [\n".repeat(5000)}---\n`).problems.length).toBeLessThanOrEqual(50);
    expect(
      read(`---\n${Array.from({ length: 500 }, (_, at) => `x${at}: y`).join("\n")}\n---\nText.`).problems,
    ).toHaveLength(50);
  });

  it.each([1000, 30_000])("does not overflow at %i brackets", (depth) => {
    expect(read(`---\ntitle: ${"[".repeat(depth)}\n---\nText.`).problems).not.toEqual([]);
    expect(read(`---\ntitle: ${"[".repeat(depth)}${"]".repeat(depth)}\n---\nText.`).problems).not.toEqual([]);
  });

  it("reads any text without an exception", () => {
    const line = fc.oneof(
      fc.constantFrom(
        "---",
        "title: a",
        "labels:",
        "  x: y",
        "tools: *a",
        "&a [1]",
        "? x",
        "!!binary x",
        "- a",
        "<<: *a",
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const { values, problems } = read(`---\n${lines.join("\n")}`);
        expect(problems.length > 0 || values.title !== undefined).toBe(true);
      }),
    );
  });
});
