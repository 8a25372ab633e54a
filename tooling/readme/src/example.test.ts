import { describe, expect, it } from "vitest";
import { examplesOf, firstExampleProblem } from "./example.ts";

describe("examplesOf", () => {
  it("takes TypeScript blocks, with the text block that follows as their output", () => {
    expect(examplesOf("```ts\na();\n```\n```text\nout\n```\n```sh\nls\n```\n```typescript no-run\nb();\n```")).toEqual([
      { line: 1, code: "a();", hasJsx: false, runs: true, output: "out" },
      { line: 10, code: "b();", hasJsx: false, runs: false, output: undefined },
    ]);
    expect(examplesOf("```tsx\n<a />;\n```")).toMatchObject([{ line: 1, code: "<a />;", hasJsx: true, runs: true }]);
  });

  it("refuses a tag it does not know", () => {
    expect(() => examplesOf("```ts norun\n```")).toThrow('unknown tag "norun"');
  });
});

describe("firstExampleProblem", () => {
  const example = "```ts\na();\n```\n\n```text\nout\n```\n";

  it.each([
    ["an example and its output", example],
    ["a shell block before it", `\`\`\`sh\nls\n\`\`\`\n\n${example}`],
    ["other examples after it", `${example}\n\`\`\`ts no-run\nb();\n\`\`\`\n\n\`\`\`js\nc();\n\`\`\``],
  ])("is content with %s", (_case, markdown) => {
    expect(firstExampleProblem(markdown)).toBeUndefined();
  });

  it.each([
    ["no example", "Words.", "no ```ts block"],
    ["a sentence in between", "```ts\na();\n```\nIt prints:\n```text\nout\n```", "line 1, is not followed directly"],
    ["another block in between", "```ts\na();\n```\n```sh\nls\n```\n```text\nout\n```", "line 1, is not followed"],
    ["an example that is not run", `\`\`\`ts no-run\na();\n\`\`\`\n${example}`, "line 1, is not run"],
    ["JavaScript before it", `\`\`\`js\na();\n\`\`\`\n${example}`, 'line 1, is tagged "js"'],
    ["TypeScript by another name before it", `\`\`\`TSX\na();\n\`\`\`\n${example}`, 'line 1, is tagged "TSX"'],
  ])("refuses %s", (_case, markdown, problem) => {
    expect(firstExampleProblem(markdown)).toContain(problem);
  });
});
