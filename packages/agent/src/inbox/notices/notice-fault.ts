/** What a `source` of a notice is, as the end of a sentence. */
export const sourceWanted = "one line of 1 to 100 characters without control characters";

/** Whether a value can be the source of a notice: it stands in a line of the text that the model reads, and must not begin another one. */
export function isSource(value: unknown): value is string {
  return typeof value === "string" && /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,100}$/u.test(value) && value.trim() === value;
}

/** What is wrong with the fields of a notice, as a sentence; undefined if nothing is. */
export function noticeFault(fields: Readonly<Record<string, unknown>>): string | undefined {
  const { source, holds, topic, wakes } = fields;
  if (source !== undefined && !isSource(source)) return `Its \`source\` is not ${sourceWanted}.`;
  if (holds !== undefined && holds !== "untrusted" && holds !== "private")
    return 'Its `holds` is neither "untrusted" nor "private".';
  if (holds !== undefined && source === undefined)
    return "It has `holds` and no `source`, which says where the text came from.";
  if (topic !== undefined && typeof topic !== "string") return "Its `topic` is not a text.";
  if (wakes !== undefined && typeof wakes !== "boolean") return "Its `wakes` is neither true nor false.";
  return undefined;
}
