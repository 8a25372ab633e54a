import type { OfferedRule } from "./asker.ts";

/** What is typed for each of the offered rules. */
export const ruleKeys: readonly string[] = ["a", "b", "c"];

/** What a `y` means. */
export const yesWords = "yes, this once";

/** What the letter of a rule means, before the rule itself. */
export const ruleWords = "yes, and from now on without a question:";

/** What an `n` means where a whole line is typed. */
export const noWords = "no; what follows the n is the reason, which the model reads";

/** An answer that was typed as a line; undefined if it is none. */
export function typedAnswer(
  line: string,
  offered: readonly OfferedRule[],
): { approved: true; rule?: OfferedRule } | { approved: false; why: string } | undefined {
  const [, word = "", rest = ""] = /^(\S+)\s*(.*)$/s.exec(line.trim()) ?? [];
  if (/^no?$/i.test(word)) return { approved: false, why: rest };
  if (rest !== "") return undefined;
  if (/^y(es)?$/i.test(word)) return { approved: true };
  const rule = offered.slice(0, ruleKeys.length)[ruleKeys.indexOf(word.toLowerCase())];
  return rule && { approved: true, rule };
}

/** What the model reads of a no. */
export function refusal(why: string): string {
  return why === "" ? "the user said no." : `the user said no: ${why}`;
}
