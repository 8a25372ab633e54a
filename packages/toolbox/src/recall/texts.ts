/** Cuts a text to `length` code points. A text that was cut ends in "…". */
export function beginning(text: string, length: number): string {
  const characters = Array.from(text.slice(0, 2 * (length + 1)));
  if (characters.length <= length) return text;
  return `${characters
    .slice(0, length - 1)
    .join("")
    .trimEnd()}…`;
}

export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, " ");
}

/** Unix time in seconds as ISO 8601; "unknown" for a time outside the range of dates. */
export function isoTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? "unknown" : time.toISOString();
}
