import { choice, noneOf } from "../gbnf/notation.ts";
import type { Rules } from "../gbnf/rules.ts";

/** The characters of a JSON string. */
export interface Letters {
  /** Matches one character, which may be written as an escape. A lone surrogate cannot be made. */
  readonly any: string;
  /** The characters that stand in a string only as escapes, control characters apart. */
  readonly special: string;
}

/** @param special further characters that only escapes may write */
export function lettersOf(rules: Rules, special = ""): Letters {
  const raw = noneOf(`"\\${special}`, "\\x00-\\x1F");
  const unicode = `"u" ([0-9a-cefA-CEF] [0-9a-fA-F]{3} | [dD] [0-7] [0-9a-fA-F]{2})`;
  const escape = choice(['[\\"\\\\/bfnrt]', unicode]);
  return { any: rules.share("char", `${raw} | "\\\\" ${escape}`), special: `"\\${special}` };
}
