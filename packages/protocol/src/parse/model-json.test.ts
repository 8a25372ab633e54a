import { describe, expect, it } from "vitest";
import { type ModelJsonOptions, readModelJson } from "./model-json.ts";

const cut = "found the end of the text instead of";
const lossy = "not a number that can be kept; write it as a string";

describe("readModelJson", () => {
  it.each<[what: string, text: string, json: string, options?: ModelJsonOptions]>([
    ["an object without its layout", ' {\n"a" : [ 1, true ] } ', '{"a":[1,true]}'],
    ["numbers as they are spelled", '{"a":[1.0,1e20,-0,0.1]}', '{"a":[1.0,1e20,-0,0.1]}'],
    ["escapes as JSON.stringify writes them", '{"\\u0061":"\\/"}', '{"a":"/"}'],
    ["half characters as U+FFFD", '{"a":"\ud800","b":"\\udc00"}', '{"a":"\ufffd","b":"\ufffd"}'],
    ["a list, where any value is wanted", "[1]", "[1]", { wants: "value" }],
    ["a number, where any value is wanted", " 12", "12", { wants: "value" }],
    ["a text, where any value is wanted", '"{"', '"{"', { wants: "value" }],
    ["the greatest depth", `{"a":${"[".repeat(253)}${"]".repeat(253)}}`, `{"a":${"[".repeat(253)}${"]".repeat(253)}}`],
  ])("keeps %s", (_what, text, json, options) => {
    expect(readModelJson(text, options)).toEqual({ json });
  });

  it.each<[text: string, position: number, message: string, options?: ModelJsonOptions]>([
    ["", 0, `${cut} {`],
    ["", 0, `${cut} a value`, { wants: "value" }],
    ["[1]", 0, 'found "[" instead of {'],
    ['{"a":1', 6, `${cut} ,} after {"a":1`],
    ['{"a":"x', 7, `${cut} what it began after {"a":"x`],
    ['{"a":tru', 8, `${cut} e after {"a":tru`],
    ['{"a":1}{"a":2}', 7, 'found "{" instead of the end after {"a":1}'],
    ['{"a":1} and more', 8, 'found "a" instead of the end after {"a":1}'],
    ['{"a":1,"\\u0061":2}', 14, 'the key "a" is given twice or not allowed'],
    ['{"a":{"__proto__":1}}', 16, 'the key "__proto__" is given twice or not allowed'],
    ['{"id":2512292042121000001}', 6, lossy],
    ['{"n":1e400}', 5, lossy],
    ["-1e400", 0, lossy, { wants: "value" }],
    ['{"a":"x\ny"}', 10, 'a raw line break in the string "a" after {"a":"x; write a backslash and n'],
    ['{"a":"b"c"}', 8, 'found "c" instead of ,} (write \\" in strings) after {"a":"b"'],
    [`{"a":${"[".repeat(254)}`, 258, "deeper than 256 levels"],
  ])("refuses %j", (text, position, message, options) => {
    expect(readModelJson(text, options)).toEqual({ fault: { message, position } });
  });
});
