import { Cut, Refusal } from "./refusal.ts";

/**
 * The JSON number that begins at `from`, as it is written. It is checked when it ends, not at each of its characters: a
 * fault is reported at the first character that no number can hold. With `limits`, P15 holds: no overflow to infinity,
 * no integer literal that is not a safe integer, and no other integer after a double.
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
  if (limits && !isKept(literal)) throw new Refusal(end, { from });
  return { literal, end };
}

/** P15: a safe integer; an integer with a fraction or an exponent that a double keeps; or another number that is not infinite. */
export function isKept(literal: string): boolean {
  const value = Number(literal);
  if (/^-?[0-9]+$/.test(literal)) return Number.isSafeInteger(value);
  if (!Number.isFinite(value)) return false;
  return Math.abs(value) < 1 || !isInteger(literal) || isDecimalOf(literal, value);
}

/** Whether the literal, which is no fraction of 1, spells an integer. */
function isInteger(literal: string): boolean {
  const { digits, power } = scaled(literal);
  return power >= 0 || digits % 10n ** BigInt(-power) === 0n;
}

/** Whether the shortest decimal of a double is the decimal that the literal spells. */
function isDecimalOf(literal: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  // Of a number that is not zero but becomes zero, the power of ten may be of any size.
  if (value === 0) return !/[1-9]/.test(literal.replace(/e.*/i, ""));
  const [one, other] = [scaled(literal), scaled(String(value))];
  const power = Math.min(one.power, other.power);
  return one.digits * 10n ** BigInt(one.power - power) === other.digits * 10n ** BigInt(other.power - power);
}

/** A decimal as a whole number and the power of ten that multiplies it. */
function scaled(text: string): { digits: bigint; power: number } {
  const [mantissa = "", power = "0"] = text.toLowerCase().split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  return { digits: BigInt(`${whole}${fraction}`), power: Number(power) - fraction.length };
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
