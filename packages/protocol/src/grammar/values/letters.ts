import { CONTROLS, choice, literal, noneOf } from "../gbnf/notation.ts";
import type { Rules } from "../gbnf/rules.ts";
import { isWithin, minus, type Ranges } from "./code-points.ts";
import type { Writing } from "./pattern.ts";

/** The characters of a JSON string. A lone surrogate cannot be made. */
export interface Letters extends Writing {
  /** The characters that stand in a string only as escapes, control characters apart. */
  readonly special: string;
}

/** @param further characters that only escapes may write */
export function lettersOf(rules: Rules, further = ""): Letters {
  const special = `"\\${further}`;
  const raw = noneOf(special, CONTROLS);
  const unicode = `"u" ([0-9a-cefA-CEF] [0-9a-fA-F]{3} | [dD] [0-7] [0-9a-fA-F]{2})`;
  const escaped = choice(['[\\"\\\\/bfnrt]', unicode]);
  const controls: Ranges = [[0, 0x1f]];
  const specials = Array.from(special, (character) => [character.charCodeAt(0), character.charCodeAt(0)] as const);
  return {
    any: rules.share("char", `${raw} | "\\\\" ${escaped}`),
    special,
    share: (expression) => rules.share("part", expression),
    set(ranges) {
      const plain = minus(ranges, [...controls, ...specials]);
      const escapes = [..."\t\n\r", ...special].filter((character) => isWithin(ranges, character.charCodeAt(0)));
      const ways = [
        ...(plain.length > 0 ? [rules.character(plain)] : []),
        ...escapes.map((one) => literal(escapeOf(one))),
      ];
      return ways.length === 0 ? undefined : choice(ways);
    },
  };
}

/** The escape that JSON writes for a character. */
function escapeOf(character: string): string {
  const written = JSON.stringify(character).slice(1, -1);
  return written.length > 1 ? written : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
