import { anyOf, EMPTY, noneOf } from "../gbnf/notation.ts";
import type { Rules } from "../gbnf/rules.ts";
import type { Harmless } from "./harmless.ts";

/** How text outside of code goes on. */
export interface Outside {
  /** After a line break. */
  readonly lineBreak: string;
  /** After a span that has ended. */
  readonly afterSpan: readonly string[];
}

/**
 * Defines the rules of code in a reply, which the parser tracks in the same way (protocol.md P10): spans of one backtick,
 * and fences of three. After any other run of backticks, no marker is written before the line ends. The parser would take markers
 * in code for text; nothing looks like one here either, since a model that writes one most likely means it.
 *
 * @param name the beginning of the names: `-span` is entered after a backtick within a line, `-tick` after one that begins
 * the line
 */
export function codeRules(
  rules: Rules,
  name: string,
  { left, cut }: Harmless,
  { lineBreak, afterSpan }: Outside,
): void {
  const rule = (part: string) => `${name}-${part}`;
  const define = (part: string, ...ways: string[]) => rules.define(rule(part), ways.join(" | "));
  const tick = (next: string) => `"\`" ${rule(next)}`;
  const other = (next: string, excluded: string) => [
    `${noneOf(`<${excluded}`)} ${rule(next)}`,
    `${left} ${rule(next)}`,
    `${cut} ${rule(`${next}-cut`)}`,
  ];
  const newLine = (next: string) => `${anyOf("\n\r")} ${rule(next)}`;
  const blank = (next: string) => `${anyOf(" \t")} ${rule(next)}`;
  /** A state that goes on until a line break or a backtick. */
  const run = (part: string, atLineBreak: string, atTick: string, isEnd: boolean) => {
    const signs = [`${left} ${rule(part)}`, `${cut} ${rule(`${part}-cut`)}`, atLineBreak, tick(atTick)];
    define(part, ...(isEnd ? [EMPTY] : []), `${noneOf("<`\n\r")} ${rule(part)}`, ...signs);
    define(`${part}-cut`, ...signs);
  };

  define("span", ...other("code", "`\n\r"), lineBreak, tick("rest"));
  run("code", lineBreak, "close", true);
  define("close", ...afterSpan, tick("rest"));
  run("rest", lineBreak, "rest", true);

  define("tick", ...other("code", "`\n\r"), lineBreak, tick("tick2"));
  define("tick2", ...other("rest", "`\n\r"), lineBreak, tick("tick3"));
  define("tick3", ...other("info", "`\n\r"), newLine("fence"));
  run("info", newLine("fence"), "rest", false);

  define("fence", EMPTY, blank("fence"), newLine("fence"), tick("fence1"), ...other("within", "` \t\n\r"));
  run("within", newLine("fence"), "within", true);
  define("fence1", ...other("within", "`\n\r"), newLine("fence"), tick("fence2"));
  define("fence2", ...other("within", "`\n\r"), newLine("fence"), tick("fence3"));
  define("fence3", EMPTY, tick("fence3"), blank("fence4"), ...other("within", "` \t\n\r"), lineBreak);
  define("fence4", EMPTY, blank("fence4"), tick("within"), ...other("within", "` \t\n\r"), lineBreak);
}
