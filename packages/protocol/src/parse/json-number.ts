/** The longest part of a text with which a number can begin. */
const beginning = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:(?<=\d)e[+-]?\d*)?)?/i;

/**
 * Finds the fault in a text that should be a JSON number which can be kept as it stands (protocol.md P15).
 *
 * @param isEnded whether the number is complete; one that is not is faulty only if no further character can mend it
 * @returns the offset of the first character at fault, 0 for a number that cannot be kept, -1 if there is no fault
 */
export function numberFault(text: string, isEnded: boolean): number {
  const length = beginning.exec(text)?.[0].length as number;
  if (length < text.length || (isEnded && !/\d$/.test(text))) return length;
  const value = Number(text);
  // A number with a positive exponent can only grow.
  const isTooLarge = !Number.isFinite(value) && (isEnded || /e\+?\d/i.test(text));
  return isTooLarge || (isEnded && losesDigits(text, value)) ? 0 : -1;
}

/** Whether an integer would become another one. A fraction is rounded to the nearest double, as everywhere. */
function losesDigits(text: string, value: number): boolean {
  if (!/[.e]/i.test(text)) return !Number.isSafeInteger(value);
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return false;
  const written = decimal(text);
  return !written.includes("e-") && written !== decimal(String(value));
}

/** A number in one spelling for each value: digits without zeros at either end, and the power of ten behind them. */
function decimal(text: string): string {
  const [mantissa = "", power = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = (whole + fraction).replace(/^-?0*/, "");
  let end = digits.length;
  while (digits.charAt(end - 1) === "0") end--;
  if (end === 0) return "0";
  const sign = text.startsWith("-") ? "-" : "";
  return `${sign}${digits.slice(0, end)}e${Number(power) - fraction.length + digits.length - end}`;
}
