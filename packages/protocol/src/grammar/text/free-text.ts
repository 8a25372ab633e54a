import { END, EXECUTE, THINK, THINK_CLOSE } from "../../text/markers.ts";
import { anyOf, EMPTY, literal, noneOf } from "../gbnf/notation.ts";
import type { Rules } from "../gbnf/rules.ts";
import { codeRules } from "./code.ts";
import { harmless } from "./harmless.ts";

const LINE_BREAKS = "\n\r";
const BLANKS = " \t";

/** What stands where a marker is written: the rules with which the text goes on. */
export interface Exits {
  /** After the closer of thinking, at the beginning of a unit. */
  readonly reply: string;
  readonly think: string;
  /** After `<execute>`; absent without tools. */
  readonly block?: string | undefined;
}

/**
 * Defines the rules of a reply, which ends with the answer, with `<end>`, or where another unit or a block begins. It
 * knows where code is open, since a marker has no meaning there (protocol.md P10).
 *
 * @param name the rule at the beginning of a unit; those of the rest begin with it
 * @param mayCloseThinking whether `</think>` may end a thought that the chat template has opened
 */
export function replyRules(rules: Rules, name: string, exits: Exits, mayCloseThinking: boolean): void {
  const { left, cut } = harmless(rules);
  const line = `${name}-line`;
  const text = `${name}-text`;
  const afterCut = `${name}-cut`;
  const lineBreak = `${anyOf(LINE_BREAKS)} ${line}`;
  const marks = [
    `${literal(THINK)} ${exits.think}`,
    ...(exits.block === undefined ? [] : [`${literal(EXECUTE)} ${exits.block}`]),
    literal(END),
    ...(mayCloseThinking ? [`${literal(THINK_CLOSE)} ${exits.reply}`] : []),
  ];
  const signs = [`${left} ${text}`, `${cut} ${afterCut}`, ...marks];
  const letters = `${noneOf(`<\`${LINE_BREAKS}`)} ${text}`;
  const firstOfLine = [`${noneOf(`<\`${LINE_BREAKS}${BLANKS}`)} ${text}`, `"\`" ${name}-tick`, ...signs];
  const define = (rule: string, ways: readonly string[]) => rules.define(rule, ways.join(" | "));

  define(name, [`${anyOf(BLANKS + LINE_BREAKS)} ${name}`, ...firstOfLine]);
  define(line, [EMPTY, `${anyOf(BLANKS)} ${line}`, lineBreak, ...firstOfLine]);
  define(text, [EMPTY, letters, lineBreak, `"\`" ${name}-span`, ...signs]);
  define(afterCut, [lineBreak, `"\`" ${name}-span`, ...signs]);
  codeRules(rules, name, { left, cut }, { lineBreak, afterSpan: [EMPTY, letters, lineBreak, ...signs] });
}

/** Defines the rules of a thought up to its closer. Only `</think>` has a meaning there (protocol.md P11). */
export function thoughtRules(rules: Rules, name: string, reply: string): void {
  const { left, cut } = harmless(rules);
  const signs = `${left} ${name} | ${cut} ${name}-cut | ${literal(THINK_CLOSE)} ${reply}`;
  rules.define(name, `${noneOf("<")} ${name} | ${signs}`);
  rules.define(`${name}-cut`, `${anyOf(`\`${LINE_BREAKS}`)} ${name} | ${signs}`);
}
