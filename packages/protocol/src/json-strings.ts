import { isSpace } from "./code-tracker.ts";
import { StringEnd } from "./string-end.ts";

const escapes = '"\\/bfnrt';
const hex = /[0-9a-fA-F]/;

/**
 * Where the strings of some JSON text go wrong: the offset of the first raw control character or of the first
 * backslash that begins no valid escape, -1 if there is none. The text may end inside a string or an escape.
 */
export function stringFault(text: string): number {
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '"') inString = !inString;
    else if (!inString) continue;
    else if (character < " ") return i;
    else if (character === "\\") {
      const kind = text.charAt(i + 1);
      if (kind === "u") {
        for (const digit of text.slice(i + 2, i + 6)) if (!hex.test(digit)) return i;
      } else if (!escapes.includes(kind)) return i;
      i += 1;
    }
  }
  return -1;
}

/**
 * Parse valid JSON whose keys hold escapes. V8 13 takes a key such as `"\\u0061"` for an earlier one that begins with a
 * backslash, so the keys are parsed apart from the rest. They are made well-formed.
 */
export function parseEscapedKeys<T>(text: string): T {
  const keys: string[] = [];
  const end = new StringEnd();
  let plain = "";
  let copied = 0;
  for (let open = text.indexOf('"'); open >= 0; ) {
    const close = end.find(text, open + 1);
    let next = close + 1;
    while (isSpace(text.charCodeAt(next))) next++;
    if (text.charAt(next) === ":") {
      plain += `${text.slice(copied, open)}"${keys.length}."`;
      copied = close + 1;
      keys.push(JSON.parse(text.slice(open, copied)).toWellFormed());
    }
    open = text.indexOf('"', close + 1);
  }
  return JSON.parse(plain + text.slice(copied), (_, value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [keys[Number.parseInt(key, 10)], member]));
  });
}

/** A key as it will compare once decoded; one with a bad escape is refused when its call closes. */
export function decodeKey(raw: string): string {
  try {
    return (raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw).toWellFormed();
  } catch {
    return raw;
  }
}
