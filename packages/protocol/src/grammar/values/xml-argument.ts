import { EXECUTE_CLOSE } from "../../text/markers.ts";
import { anyOf, choice, EMPTY, literal, noneOf } from "../gbnf/notation.ts";
import type { Rules } from "../gbnf/rules.ts";
import { cutting, leaving, wordsOf } from "../gbnf/words.ts";
import { minus, single } from "./code-points.ts";
import { countOf } from "./keywords.ts";
import type { Letters } from "./letters.ts";
import type { Writing } from "./pattern.ts";
import { ruledText } from "./string.ts";
import { jsonStyle, type Style } from "./style.ts";

/**
 * The value of an argument of the XML dialect: strings are raw text, everything else is JSON. The text holds neither the
 * closing tag of the argument, nor that of its tool or of the block.
 */
export function argumentStyle(argument: string, tool: string, rules: Rules, letters: Letters): Style {
  const closers = [`</${argument}>`, `</${tool}>`, EXECUTE_CLOSE];
  const json = jsonStyle(rules, letters);
  return {
    ...json,
    string(schema) {
      const ruled = ruledText(schema, plainOf(rules));
      if (ruled !== undefined) return ruled;
      const text = rawText(closers, rules);
      return countOf(schema.minLength, 0) === 0 ? text.any : text.some;
    },
    value(value) {
      if (typeof value !== "string") return json.value(value);
      // Line breaks at either end are layout, and what looks like a tag may end the value.
      return /^[\n\r]|[\n\r]$|<\//.test(value) ? undefined : literal(value);
    },
  };
}

/** Characters as they are. None of them can be a part of a tag. */
function plainOf(rules: Rules): Writing {
  return {
    any: noneOf("<\n\r"),
    share: (expression) => rules.share("part", expression),
    set(ranges) {
      const left = minus(ranges, [...single("<"), ...single("\n"), ...single("\r")]);
      return left.length === 0 ? undefined : rules.character(left);
    },
  };
}

/** Texts without the closing tags: any, and those that are not empty. */
function rawText(closers: readonly string[], rules: Rules): { any: string; some: string } {
  const words = wordsOf([...new Set(closers)].map((closer) => closer.slice(1)));
  const spelling = { of: (character: string) => character, special: "<" };
  const left = rules.share("no-closer", `"<" ${leaving(words, spelling, rules)}`);
  const cut = rules.share("cut-closer", `"<" ${cutting(words, spelling, rules)}`);
  const any = rules.reserve("raw");
  const afterCut = rules.reserve("raw-cut");
  rules.define(afterCut, choice([EMPTY, `${left} ${any}`, `${cut} ${afterCut}`]));
  rules.define(any, choice([EMPTY, `${noneOf("<")} ${any}`, `${left} ${any}`, `${cut} ${afterCut}`]));
  const begun = choice([`${noneOf("<\n\r")} ${any}`, `${left} ${any}`, `${cut} ${afterCut}`]);
  // One line break before the value is layout.
  const some = rules.share("raw-some", `${anyOf("\n\r")}? ${begun}`);
  return { any, some };
}
