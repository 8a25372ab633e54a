/** Sentences for the model as one note; undefined if there are none. */
export function noteOf(sentences: readonly (string | undefined)[]): string | undefined {
  const said = sentences.filter((sentence) => sentence !== undefined);
  return said.length === 0
    ? undefined
    : said.map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)).join(" ");
}
