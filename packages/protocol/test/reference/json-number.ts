import { Cut, Refusal } from "./refusal.ts";

/**
 * The JSON number that begins at `from`, as it is written. It is checked when it ends, not at each of its characters: a
 * fault is reported at the first character that no number can hold. With `limits`, P15 holds: no overflow to infinity,
 * and no integer literal that is not a safe integer.
 */
export function readNumber(text: string, from: number, limits: boolean): { literal: string; end: number } {
  const literal = /^[-+.0-9eE]*/.exec(text.slice(from))?.[0] ?? "";
  const end = from + literal.length;
  if (!isBeginning(literal)) throw new Refusal(from + wrongAt(literal), { last: end });
  if (end === text.length) {
    // Once an exponent is positive, further digits can only make the number larger.
    if (limits && /e\+?[0-9]+$/i.test(literal) && !Number.isFinite(Number(literal))) throw new Refusal(end, { from });
    throw new Cut();
  }
  if (!number.test(literal)) throw new Refusal(end);
  const value = Number(literal);
  const losesDigits = /^-?[0-9]+$/.test(literal) && !Number.isSafeInteger(value);
  if (limits && (losesDigits || !Number.isFinite(value))) throw new Refusal(end, { from });
  return { literal, end };
}

const number = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

/** Every beginning of a number is a number, or becomes one with one more digit. */
function isBeginning(text: string): boolean {
  return number.test(text) || number.test(`${text}0`);
}

/** The index of the first character with which a text is no longer the beginning of a number. */
function wrongAt(text: string): number {
  let at = 0;
  while (isBeginning(text.slice(0, at + 1))) at++;
  return at;
}
