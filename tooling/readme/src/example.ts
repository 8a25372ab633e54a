import { codeBlocks } from "./code-blocks.ts";

/** A TypeScript block of a README. */
export interface Example {
  /** The README line of the opening fence, counted from 1. */
  line: number;
  code: string;
  /** False for blocks tagged `ts no-run`. */
  runs: boolean;
  /** What the example prints: the text of a `text` block that follows it directly. */
  output: string | undefined;
}

/** The examples of a README, in order. An unknown tag is an error, so that a misspelt `no-run` is noticed. */
export function examplesOf(markdown: string): Example[] {
  const blocks = codeBlocks(markdown);
  return blocks.flatMap((block, index) => {
    if (block.language !== "ts" && block.language !== "typescript") return [];
    const unknown = block.tags.find((tag) => tag !== "no-run");
    if (unknown)
      throw new SyntaxError(`Line ${block.line}: unknown tag "${unknown}" after \`\`\`ts; known is "no-run".`);
    const next = blocks[index + 1];
    const output = next?.followsBlock && next.language === "text" ? next.code : undefined;
    return [{ line: block.line, code: block.code, runs: !block.tags.includes("no-run"), output }];
  });
}
