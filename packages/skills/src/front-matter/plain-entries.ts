import type { Entry } from "./entry.ts";

/**
 * Reads the front matter that most files have: each line is a name and a text, as it is or in quotes without an escape. A YAML
 * parser reads the same, and takes longer. Undefined for everything else, also for what is faulty.
 */
export function plainEntries(source: string): readonly Entry[] | undefined {
  const entries = new Map<string, Entry>();
  for (const [index, text] of source.split("\n").entries()) {
    const { field, quoted, bare } = line.exec(text)?.groups ?? {};
    const value = quoted?.slice(1, -1) ?? bare;
    if (field === undefined || value === undefined || entries.has(field)) return undefined;
    if (ofYaml.test(field) || (bare !== undefined && (ofYaml.test(bare) || structure.test(bare)))) return undefined;
    entries.set(field, { field, value, line: index + 1 });
  }
  return [...entries.values()];
}

/** A text begins with a letter, so it is no number. What is invisible is left to YAML. */
const line =
  /^(?<field>[a-z][a-z\d_-]{0,63}): +(?:(?<quoted>"(?:(?!["\\])[^\p{C}\p{Zl}\p{Zp}])*"|'(?:(?!')[^\p{C}\p{Zl}\p{Zp}])*')|(?<bare>\p{L}(?:[^\p{C}\p{Zl}\p{Zp}]*[^\p{C}\p{Z}])?)) *$/iu;

/** Words that are no texts. */
const ofYaml = /^(?:null|true|false)$/i;

/** A key, or a comment, in a text without quotes. */
const structure = /:(?: |$)| #/;
