import { describe, expect, it } from "vitest";
import { codeBlocks } from "./code-blocks.ts";

describe("codeBlocks", () => {
  it("gives language, tags, line and code of every fenced block", () => {
    const markdown = ["# Title", "", "```ts no-run", "a();", "", "b();", "```", "text", "~~~", "plain", "~~~"].join(
      "\n",
    );
    expect(codeBlocks(markdown)).toEqual([
      { language: "ts", tags: ["no-run"], line: 3, code: "a();\n\nb();", followsBlock: false },
      { language: "", tags: [], line: 9, code: "plain", followsBlock: false },
    ]);
  });

  it("sees that only blank lines stand between two blocks", () => {
    const [, next, later] = codeBlocks("```ts\n```\n\n```text\n```\nwords\n```text\n```");
    expect([next?.followsBlock, later?.followsBlock]).toEqual([true, false]);
  });

  it("keeps a shorter fence and a fence with a language as code of the open block", () => {
    const [block, ...others] = codeBlocks("````md\n```ts\ninner\n```\n````");
    expect(block?.code).toBe("```ts\ninner\n```");
    expect(others).toEqual([]);
  });

  it("takes away the indentation of a block in a list", () => {
    expect(codeBlocks("- item\n  ```ts\n  if (x) {\n    y();\n  }\n  ```")[0]?.code).toBe("if (x) {\n  y();\n}");
  });

  it("names the line of a block that is never closed", () => {
    expect(() => codeBlocks("text\n```ts\ncode")).toThrow("begins at line 2");
  });
});
