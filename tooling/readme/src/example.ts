import { codeBlocks } from "./code-blocks.ts";

/** A TypeScript block of a README. */
export interface Example {
  /** The README line of the opening fence, counted from 1. */
  line: number;
  code: string;
  /** Whether the block is tagged `tsx`. */
  hasJsx: boolean;
  /** False for blocks tagged `ts no-run`. */
  runs: boolean;
  /** What the example prints: the text of a `text` block that follows it directly. */
  output: string | undefined;
}

/** What is wrong with the example that a reader of a README meets first; it must run and show what it prints. */
export function firstExampleProblem(markdown: string): string | undefined {
  const examples = examplesOf(markdown);
  const [first] = examples;
  if (!first) return "There is no ```ts block.";
  const unchecked = codeBlocks(markdown).find(({ language }) => script.test(language) && !typescript.test(language));
  if (unchecked && unchecked.line < first.line)
    return `The first example, at line ${unchecked.line}, is tagged "${unchecked.language}" instead of "ts".`;
  if (!first.runs) return `The first example, at line ${first.line}, is not run.`;
  if (first.output === undefined)
    return `The first example, at line ${first.line}, is not followed directly by a \`\`\`text block with its output.`;
  return undefined;
}

const typescript = /^(tsx?|typescript)$/;
const script = /^([cm]?[jt]sx?|javascript|typescript)$/i;

/** The examples of a README, in order. An unknown tag is an error, so that a misspelt `no-run` is noticed. */
export function examplesOf(markdown: string): Example[] {
  const blocks = codeBlocks(markdown);
  return blocks.flatMap((block, index) => {
    if (!typescript.test(block.language)) return [];
    const unknown = block.tags.find((tag) => tag !== "no-run");
    if (unknown)
      throw new SyntaxError(`Line ${block.line}: unknown tag "${unknown}" after \`\`\`ts; known is "no-run".`);
    const next = blocks[index + 1];
    const output = next?.followsBlock && next.language === "text" ? next.code : undefined;
    const { line, code, language, tags } = block;
    return [{ line, code, hasJsx: language === "tsx", runs: !tags.includes("no-run"), output }];
  });
}
