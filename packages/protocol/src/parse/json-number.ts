/** The longest part of a text with which a number can begin. */
const beginning = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:(?<=\d)e[+-]?\d*)?)?/i;

/**
 * Finds the fault in a text that should be a JSON number which can be kept as it stands (protocol.md P15).
 *
 * @param isEnded whether the number is complete; one that is not is faulty only if no further character can mend it
 * @returns the offset of the first character at fault, 0 for a number that is too large, -1 if there is no fault
 */
export function numberFault(text: string, isEnded: boolean): number {
  const length = beginning.exec(text)?.[0].length as number;
  if (length < text.length || (isEnded && !/\d$/.test(text))) return length;
  const value = Number(text);
  // A number with a positive exponent can only grow.
  const isTooLarge = !Number.isFinite(value) && (isEnded || /e\+?\d/i.test(text));
  const losesDigits = isEnded && !/[.e]/i.test(text) && !Number.isSafeInteger(value);
  return isTooLarge || losesDigits ? 0 : -1;
}
