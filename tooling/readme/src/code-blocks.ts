/** A fenced code block of a Markdown text. */
export interface CodeBlock {
  /** The first word after the opening fence, `""` if there is none. */
  language: string;
  /** The other words after the opening fence. */
  tags: string[];
  /** The line of the opening fence, counted from 1. */
  line: number;
  code: string;
  /** Nothing but blank lines stands between the block before it and this one. */
  followsBlock: boolean;
}

/** The fenced code blocks of a Markdown text, in order. A fence that is never closed is an error. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { block: CodeBlock; indent: string; fence: string; lines: string[] } | undefined;
  let followsBlock = false;

  for (const [index, text] of markdown.split(/\r?\n/).entries()) {
    const [, indent = "", fence = "", info = ""] = /^(\s*)(`{3,}|~{3,})\s*(.*?)\s*$/.exec(text) ?? [];
    if (open) {
      if (fence.startsWith(open.fence) && info === "") {
        open.block.code = open.lines.join("\n");
        blocks.push(open.block);
        open = undefined;
        followsBlock = true;
      } else {
        open.lines.push(text.startsWith(open.indent) ? text.slice(open.indent.length) : text);
      }
    } else if (fence !== "" && !info.includes("`")) {
      const [language = "", ...tags] = info.split(/\s+/);
      open = { block: { language, tags, line: index + 1, code: "", followsBlock }, indent, fence, lines: [] };
    } else if (text.trim() !== "") {
      followsBlock = false;
    }
  }
  if (open) throw new SyntaxError(`The code block that begins at line ${open.block.line} is never closed.`);
  return blocks;
}
