/** A message without the blocks that were added to it, such as `<file path="a.txt">`: each begins with a tag on a line, after an empty one. */
export function beforeBlocks(content: string): string {
  return content.split(/\n\n<[a-z][\w-]*(?: [^\n]*)?>\n/, 1)[0] ?? "";
}
