import type { Context } from "@ag-ui/core";

/** The words of a person with what their client says of the place where they were written. The model reads both as words of the person. */
export function withContext(words: string, context: readonly Context[]): string {
  if (context.length === 0) return words;
  const lines = context.map(({ description, value }) => JSON.stringify({ description, value }));
  return `${words}\n\n<context>\n${lines.join("\n")}\n</context>`;
}

/** The words alone: a client does not show the context, which it has itself. */
export function withoutContext(words: string): string {
  return words.replace(contextAtEnd, "");
}

const contextAtEnd = /\n\n<context>\n(\{"description":.*\}\n)+<\/context>$/;
