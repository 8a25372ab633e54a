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
