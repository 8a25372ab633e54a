import { describe, expect, it } from "vitest";
import { examplesOf } from "./example.ts";

describe("examplesOf", () => {
  it("takes TypeScript blocks, with the text block that follows as their output", () => {
    expect(examplesOf("```ts\na();\n```\n```text\nout\n```\n```sh\nls\n```\n```typescript no-run\nb();\n```")).toEqual([
      { line: 1, code: "a();", runs: true, output: "out" },
      { line: 10, code: "b();", runs: false, output: undefined },
    ]);
  });

  it("refuses a tag it does not know", () => {
    expect(() => examplesOf("```ts norun\n```")).toThrow('unknown tag "norun"');
  });
});
