import { END, EXECUTE, RESULTS, THINK } from "../../text/markers.ts";
import type { Rules } from "../gbnf/rules.ts";
import { cutting, leaving, type Spelling, wordsOf } from "../gbnf/words.ts";

/** Matches a beginning of a marker that does not become one: whole, and cut off by a character of `special`. */
export interface Harmless {
  readonly left: string;
  readonly cut: string;
}

/**
 * Text in which nothing looks like a marker, in any letter case, with or without `/`. (The parser knows markers in lower
 * case only. Others would be written by a model that means them.)
 */
export function harmless(rules: Rules): Harmless {
  const names = [THINK, EXECUTE, RESULTS, END].map((marker) => marker.slice(1));
  const markers = wordsOf(names.flatMap((name) => [name, `/${name}`]));
  const spelling: Spelling = {
    of: (character) => {
      const upper = character.toUpperCase();
      return upper === character ? character : character + upper;
    },
    special: "<`\n\r",
  };
  return {
    left: rules.share("no-marker", `"<" ${leaving(markers, spelling, rules)}`),
    cut: rules.share("cut-marker", `"<" ${cutting(markers, spelling, rules)}`),
  };
}
