import { describe, expect, it } from "vitest";
import { UsageError } from "../errors/usage-error.ts";
import { parseJson } from "./parse-json.ts";

describe("parseJson", () => {
  it.each([
    ["root:x:0:0:root\ndaemon:x", 1],
    ['{"a": 1,\n"b": secret}', 2],
    ['{\n"a": 1,\n}', 3],
    ['{"a": "secret\nline"}', 1],
    ['{"a": 1}\n\nsecret', 3],
    ['{\n"a": -\n}', 2],
    ['{\n\n"a" "secret"}', 3],
    ['{"a": 1', 1],
    ["", 1],
  ])("names the line where %j breaks off, and quotes nothing of it", (text, line) => {
    expect(() => parseJson("/p/a.json", text)).toThrow(new UsageError(`/p/a.json, line ${line}: this is not JSON.`));
    try {
      parseJson("/p/a.json", text);
    } catch (error) {
      expect((error as Error).cause).toBeUndefined();
    }
  });

  it("says what many try", () => {
    expect(() => parseJson("a.json", '{\n// a comment\n"a": 1}')).toThrow("a.json, line 2: JSON has no comments.");
  });

  it("reads what is JSON", () => {
    expect(parseJson("a.json", ' {"a": [1, null]}\n')).toEqual({ a: [1, null] });
  });
});
