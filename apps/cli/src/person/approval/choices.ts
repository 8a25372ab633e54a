import { exact } from "../../base/terminal/exact-text.ts";
import type { OfferedRule, RuleTerm } from "./asker.ts";

/** What is typed for each of the offered rules: the first letter for this session, the second for always. */
export const ruleKeys: readonly Readonly<Record<RuleTerm, string>>[] = [
  { session: "s", always: "a" },
  { session: "t", always: "b" },
  { session: "u", always: "c" },
];

/** What a `y` means. */
export const yesWords = "yes, this once";

/** What the two letters of a rule mean, before the rule itself. */
export const ruleWords = "yes, this session / always:";

/** What an `n` means where a whole line is typed. */
export const noWords = "no; what follows the n is the reason, which the model reads";

/** The letters of a rule, as they stand before it. */
export function lettersOf(at: number): string {
  const { session = "", always = "" } = ruleKeys[at] ?? {};
  return `${session} / ${always}`;
}

/** What a session is, and where a rule is kept that counts always. */
export function termWords({ file }: OfferedRule): string {
  return `this session: until you leave this conversation; always: a rule in ${exact(file)}`;
}

/** What is said of an answer that was a rule. */
export function ruledText({ text, file }: OfferedRule, term: RuleTerm): string {
  if (term === "session") return `Allowed for this session: ${text} (/rules)`;
  return `Allowed always: ${text} (a rule in ${file})`;
}

/** The rule that a letter chooses, and for how long. */
export function chosenRule(
  letter: string,
  offered: readonly OfferedRule[],
): { rule: OfferedRule; term: RuleTerm } | undefined {
  const typed = letter.toLowerCase();
  for (const [at, rule] of offered.slice(0, ruleKeys.length).entries()) {
    if (ruleKeys[at]?.session === typed) return { rule, term: "session" };
    if (ruleKeys[at]?.always === typed) return { rule, term: "always" };
  }
  return undefined;
}

/** An answer that was typed as a line; undefined if it is none. */
export function typedAnswer(
  line: string,
  offered: readonly OfferedRule[],
): { approved: true; rule?: OfferedRule; term?: RuleTerm } | { approved: false; why: string } | undefined {
  const [, word = "", rest = ""] = /^(\S+)\s*(.*)$/s.exec(line.trim()) ?? [];
  if (/^no?$/i.test(word)) return { approved: false, why: rest };
  if (rest !== "") return undefined;
  if (/^y(es)?$/i.test(word)) return { approved: true };
  const chosen = chosenRule(word, offered);
  return chosen && { approved: true, ...chosen };
}

/** What the model reads of a no. */
export function refusal(why: string): string {
  return why === "" ? "the user said no." : `the user said no: ${why}`;
}
