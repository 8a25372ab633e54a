import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, it } from "vitest";
import { valueText } from "./value-text.ts";

it("writes any JSON value so that TypeScript reads the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom("", "    "), (value, indent) => {
      const read = runInNewContext(`(${valueText(value, indent)})`);
      expect(JSON.stringify(read)).toBe(JSON.stringify(value));
    }),
  );
});

it("writes what fits on one line on one line, and other values with one field a line", () => {
  expect(valueText({ name: "a", "b-c": [1, true, null] })).toBe('{ name: "a", "b-c": [1, true, null] }');
  const long = "x".repeat(100);
  expect(valueText({ name: long, args: {} })).toBe(`{\n  name: "${long}",\n  args: {},\n}`);
});

it("leaves no character that a reader cannot see", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(valueText(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u);
      expect(runInNewContext(valueText(text))).toBe(text);
    }),
  );
});
