/** A text whose quoted parts are replaced by single words, so that no rule reads the words inside quotes. */
export interface Quotes {
  hidden: string;
  /** The text as it was written. */
  original(part: string): string;
  /** The original text of a part; without the quotes if the whole part is one quotation. */
  unquoted(part: string): string;
  isQuoted(part: string | undefined): boolean;
}

export function hideQuotes(text: string): Quotes {
  const found: { written: string; unquoted: string }[] = [];
  const hidden = text.replace(/[\uE000\uE001]/g, "").replace(quotation, (written, ...groups) => {
    const unquoted = groups.slice(0, 6).find((group) => group !== undefined) as string;
    found.push({ written, unquoted });
    return `\uE000${found.length - 1}\uE001`;
  });
  const original = (part: string) => part.replace(/\uE000(\d+)\uE001/g, (_, index) => found[index]?.written ?? "");
  const quotationAt = (part: string) => found[Number(/^\uE000(\d+)\uE001$/.exec(part)?.[1] ?? -1)];
  return {
    hidden,
    original,
    unquoted: (part) => quotationAt(part)?.unquoted ?? original(part),
    isQuoted: (part) => quotationAt(part ?? "") !== undefined,
  };
}

/** Fences, backticks, double quotes, typographic quotes, and single quotes that are not apostrophes. */
const quotation =
  /```[^\n`]*\n([\s\S]*?)\n?```|``([^`\n]+)``|`([^`\n]+)`|"([^"]*)"|“([^”]*)”|(?<![\p{L}\p{N}])'([^'\n]*)'(?![\p{L}\p{N}])/gu;
