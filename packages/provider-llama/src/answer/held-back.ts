/** Length of the end of a text with which one of the marks may begin: it is held back until more is known. */
export function heldBack(text: string, marks: readonly string[]): number {
  let held = 0;
  for (const mark of marks) {
    let length = Math.min(mark.length - 1, text.length);
    while (length > held && !mark.startsWith(text.slice(text.length - length))) length--;
    held = Math.max(held, length);
  }
  return held;
}
