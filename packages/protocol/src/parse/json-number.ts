/** The longest part of a text with which a number can begin. */
const beginning = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:(?<=\d)e[+-]?\d*)?)?/i;

/**
 * Where a text goes wrong that should be a number which can be kept as it stands (protocol.md P15): the offset of the
 * first character at fault, -1 if there is none. What has not ended may still become one; once its exponent is positive,
 * it can only grow.
 */
export function numberFault(text: string, isEnded: boolean): number {
  const length = beginning.exec(text)?.[0].length as number;
  if (length < text.length || (isEnded && !/\d$/.test(text))) return length;
  const value = Number(text);
  const isTooLarge = !Number.isFinite(value) && (isEnded || /e\+?\d/i.test(text));
  const losesDigits = isEnded && !/[.e]/i.test(text) && !Number.isSafeInteger(value);
  return isTooLarge || losesDigits ? 0 : -1;
}
