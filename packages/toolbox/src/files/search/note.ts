/** Joins sentences for the model into one note; undefined if there are none. */
export function noteOf(sentences: readonly (string | undefined)[]): string | undefined {
  const present = sentences.filter((sentence) => sentence !== undefined);
  return present.length === 0
    ? undefined
    : present.map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)).join(" ");
}
