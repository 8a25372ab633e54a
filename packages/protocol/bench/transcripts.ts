const prose = `The parser reads \`a.ts\` first. Nothing < here is a marker, and neither is this list:

- one, with **emphasis**
- two, with a [link](https://example.com)

\`\`\`ts
export const answer: number = 42; // <end> is text in here
\`\`\`

`;
const thought = `<think>${"Which file is it, and what would change there? ".repeat(12)}</think>\n\n`;

/** One turn of prose with code and thinking, then calls from tiny to a tenth of the turn. About `size` characters. */
export function mixedTranscript(size: number): string {
  const calls = [
    ...Array.from({ length: 20 }, (_, i) => ({ name: "read", args: { file: `src/file-${i}.ts` } })),
    { name: "write", args: { file: "a.txt", content: 'a "line" of text\n'.repeat(Math.ceil(size / 170)) } },
  ];
  const block = `<execute>\n${JSON.stringify(calls, null, 1)}\n</execute>`;
  const turn = thought + prose.repeat(3);
  return turn.repeat(Math.max(1, Math.round((size - block.length) / turn.length))) + block;
}

/** One call with one argument of about `size` characters. */
export function singleArgument(size: number): string {
  const content = 'export const line = "of a file that is written";\n'.repeat(Math.ceil(size / 49));
  return `<execute>[${JSON.stringify({ name: "write", args: { file: "a.ts", content } })}]</execute>`;
}

export function cut(text: string, size: number): string[] {
  const chunks: string[] = [];
  for (let i = 0; i < text.length; i += size) chunks.push(text.slice(i, i + size));
  return chunks;
}
