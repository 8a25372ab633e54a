import { describe, expect, it } from "vitest";
import { parseKeepingSource, sourceText } from "./source-text.ts";

const argsIn = (text: string) => (parseKeepingSource(text) as { args: object }).args;

describe("parseKeepingSource", () => {
  it.each(["2512292042121000001", "1e400", "0.10000000000000000001", "-9007199254740993", "12345678901234567890.5"])(
    "keeps the number %s of arguments as it was sent, and reads it as JSON.parse does",
    (number) => {
      const text = `{"args":{"id":${number},"list":[{"n":${number}}],"a":1}}`;
      expect(sourceText(argsIn(text))).toBe(`{"id":${number},"list":[{"n":${number}}],"a":1}`);
      expect(argsIn(text)).toEqual(JSON.parse(text).args);
      expect(JSON.stringify(parseKeepingSource(text))).toBe(JSON.stringify(JSON.parse(text)));
    },
  );

  it("leaves no trace in other fields, and none in a copy", () => {
    const text = '{"usage":{"n":2512292042121000001},"args":{"id":2512292042121000001},"list":[1e400]}';
    expect(structuredClone(parseKeepingSource(text))).toEqual(JSON.parse(text));
    expect(Object.keys(argsIn(text))).toEqual(["id"]);
  });

  it.each([
    '{"args":{"id":123456789012345}}',
    '{"args":{"n":1.5e3}}',
    '{"args":null}',
    '{"args":5}',
    "7",
    '"a"',
    "[1e9]",
  ])("reads %s as JSON.parse does", (text) => {
    expect(parseKeepingSource(text)).toEqual(JSON.parse(text));
  });

  it("throws for what is not JSON", () => {
    expect(() => parseKeepingSource('{"args":{"id":2512292042121000001}')).toThrow(SyntaxError);
  });
});
