import { anyOf, EMPTY, noneOf } from "../gbnf/notation.ts";
import type { Rules } from "../gbnf/rules.ts";

/**
 * Defines the rules of code in a reply, which the parser tracks in the same way (protocol.md P10): spans of one backtick,
 * and fences of three. After any other run of backticks, no marker is written before the line ends.
 *
 * @param name the beginning of the names: `-span` is entered after a backtick within a line, `-tick` after one that begins
 * the line
 * @param outside how text goes on: with a line break, and after a span
 */
export function codeRules(
  rules: Rules,
  name: string,
  { lineBreak, afterSpan }: { lineBreak: string; afterSpan: readonly string[] },
): void {
  const rule = (part: string) => `${name}-${part}`;
  const define = (part: string, ...ways: string[]) => rules.define(rule(part), ways.join(" | "));
  const tick = (next: string) => `"\`" ${rule(next)}`;
  const other = (next: string, characters = "`\n\r") => `${noneOf(characters)} ${rule(next)}`;
  const newLine = (next: string) => `${anyOf("\n\r")} ${rule(next)}`;
  const blank = (next: string) => `${anyOf(" \t")} ${rule(next)}`;

  define("span", other("code"), lineBreak, tick("rest"));
  define("code", EMPTY, other("code"), lineBreak, tick("close"));
  define("close", ...afterSpan, tick("rest"));
  define("rest", EMPTY, other("rest", "\n\r"), lineBreak);

  define("tick", other("code"), lineBreak, tick("tick2"));
  define("tick2", other("rest"), lineBreak, tick("tick3"));
  define("tick3", other("info"), newLine("fence"));
  define("info", other("info"), newLine("fence"), tick("rest"));

  define("fence", EMPTY, blank("fence"), newLine("fence"), tick("fence1"), other("within", "` \t\n\r"));
  define("within", EMPTY, other("within", "\n\r"), newLine("fence"));
  define("fence1", other("within"), newLine("fence"), tick("fence2"));
  define("fence2", other("within"), newLine("fence"), tick("fence3"));
  define("fence3", EMPTY, tick("fence3"), blank("fence4"), other("within", "` \t\n\r"), lineBreak);
  define("fence4", EMPTY, blank("fence4"), other("within", " \t\n\r"), lineBreak);
}
