import type { Entry } from "./entry.ts";

/**
 * Reads the front matter that most files have: each line is a name and a text, as it is or in double quotes without an escape. A YAML
 * parser reads the same, and takes longer. Undefined for everything else, also for what is faulty.
 */
export function plainEntries(source: string): readonly Entry[] | undefined {
  if (unusual.test(source)) return undefined;
  const entries = new Map<string, Entry>();
  for (const text of source.split("\n")) {
    const [, field, quoted, bare = "a"] = line.exec(text) ?? [];
    if (!field || entries.has(field) || !begin.test(bare) || ofYaml.test(bare)) return undefined;
    entries.set(field, { field, value: quoted?.slice(1, -1) ?? bare, line: entries.size + 1 });
  }
  return [...entries.values()];
}

/** Ranges, because V8 takes long to compile an expression with \p. Blanks of other kinds, and what has two code units, are left to YAML. */
const unusual = /[^\n -~\xa1-\u1fff\u2010-\ud7ff]/;

/** A name, and a text with double quotes or without. */
const line = /^([a-z][a-z\d_-]{0,63}): +(?:("[^"\\]*")|([^ ].*?)) *$/;

/** A text without quotes that begins so is no number, and nothing else of YAML. */
const begin = /^[a-z\xc0-\ud7ff]/i;

/** Words that are no texts, and keys and comments in a text. */
const ofYaml = /^(?:null|true|false)$|:(?: |$)| #/i;
