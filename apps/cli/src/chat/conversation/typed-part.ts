/**
 * What a person typed of a prompt. What the app has added is left out: the texts of files, which are read again, and what commands printed,
 * for which nobody vouches.
 */
export function typedPart(content: string): string {
  const added = /\n\n(?:I ran `[^\n]*` \([^\n]*\)[:.]|<file_* path=")/.exec(content);
  return added === null ? content : content.slice(0, added.index);
}
