import type { Entry } from "./entry.ts";

/**
 * Reads the front matter that most files have: each line is a name and a text, as it is or in quotes without an escape. A YAML
 * parser reads the same, and takes longer. Undefined for everything else, also for what is faulty.
 */
export function plainEntries(source: string): readonly Entry[] | undefined {
  if (!ascii.test(source) && invisible.test(source)) return undefined;
  const entries = new Map<string, Entry>();
  for (const [index, text] of source.split("\n").entries()) {
    const [, field, quoted, bare] = line.exec(text) ?? [];
    const value = quoted?.slice(1, -1) ?? bare;
    if (field === undefined || value === undefined || entries.has(field) || word.test(field)) return undefined;
    if (bare !== undefined && !isText(bare)) return undefined;
    entries.set(field, { field, value, line: index + 1 });
  }
  return [...entries.values()];
}

/** V8 takes longer to compile an expression with \p than to read 50 files, so they are for other texts alone. */
const ascii = /^[\n\x20-\x7e]*$/;
const invisible = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/u;

const line = /^([a-z][a-z\d_-]{0,63}): +(?:("[^"\\]*"|'[^']*')|([^ ](?:.*[^ ])?)) *$/i;

/** What has no meaning in YAML but its own: it begins like no number, and holds neither a key nor a comment. */
function isText(bare: string): boolean {
  return (/^[a-z<(/$]/i.test(bare) || /^\p{L}/u.test(bare)) && !word.test(bare) && !/:(?: |$)| #/.test(bare);
}

/** Words that are no texts. */
const word = /^(?:null|true|false)$/i;
