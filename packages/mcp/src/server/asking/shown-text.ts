/** A text as a person sees all of it: characters that show nothing, or change how others are shown, are written as their code. */
export function shownText(text: string): string {
  return text.toWellFormed().replace(hidden, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Format, control (without line ends and tabs), private and unassigned characters, and separators of lines. */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
