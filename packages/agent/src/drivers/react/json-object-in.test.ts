import { describe, expect, it } from "vitest";
import { jsonObjectIn } from "./json-object-in.ts";

const fence = "```";

describe("jsonObjectIn", () => {
  it.each<[string, string, object]>([
    ["the whole text", ' {"a":1}\n', { a: 1 }],
    ["the only fenced block", `Here:\n${fence}json\n{"a":1}\n${fence}\nDone.`, { a: 1 }],
    ["a fenced block without a language", `${fence}\n{"a":1}\n${fence}`, { a: 1 }],
    ["the braces in prose", 'I say "so: {"a":{"b":"}"}} and that is all.', { a: { b: "}" } }],
    ["the only braces that hold JSON", 'The set {x} is {"a":"{\\"}"}', { a: '{"}' }],
    [
      "the block that is JSON, of which prose shows another",
      `Not {"a":0} but\n${fence}json\n{"a":1}\n${fence}`,
      { a: 1 },
    ],
  ])("finds %s", (_, text, object) => {
    expect(jsonObjectIn(text)).toEqual(object);
  });

  it.each<[string, string, string]>([
    ["nothing", " \n", "The output is empty."],
    ["a list", '[{"a":1}]', "The output is a list, not a JSON object."],
    ["a text", '"a"', "The output is a string, not"],
    ["null", "null", "The output is null, not"],
    ["prose", "I do not know.", "The output is not a JSON object: "],
    ["two objects", '{"a":1}\n{"a":2}', "The output holds 2 JSON objects instead of one."],
    ["an object that is not closed", '{"a":1', "The output is not a JSON object: "],
    ["a comma too many", 'So: {"a":1,}', "The output is not a JSON object: "],
    ["a raw line break in a string", '{"a":"1\n2"}', "The output is not a JSON object: "],
    [
      "a number that JSON.parse would change",
      '{"id":2512292042121000001}',
      "is not valid at character 7: not a number",
    ],
    ["a number in a fence", `So:\n${fence}\n{"n":1e400}\n${fence}`, "is not valid at character 6: not a number"],
    ["a key that is given twice", 'So: {"a":1,"a":2}', 'is not valid at character 10: the key "a" is given twice'],
    ["two objects of which one loses digits", '{"a":2512292042121000001}\n{"a":2}', "The output holds 2 JSON objects"],
    ["single quotation marks", "{'a':1}", "The output is not a JSON object: "],
  ])("refuses %s, and repairs nothing", (_, text, problem) => {
    expect(() => jsonObjectIn(text)).toThrow(problem);
  });

  it("reads a hostile text in one pass", () => {
    const braces = '{"'.repeat(200_000);
    expect(() => jsonObjectIn(braces)).toThrow("not a JSON object");
    expect(() => jsonObjectIn("{".repeat(300_000))).toThrow("not a JSON object");
    expect(() => jsonObjectIn("{}{x}".repeat(2) + "{".repeat(100_000))).toThrow("holds 2 JSON objects");
  });
});
