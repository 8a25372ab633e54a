/** What is told of a summary that takes the place of the earlier part of a conversation. */
export function summedUp({ before, after }: { before: number; after: number }): string {
  const [from, to] = [before, after].map((tokens) => Math.round(tokens).toLocaleString("en"));
  return `The earlier part of the conversation is summed up: about ${from} tokens became ${to}.`;
}
