/**
 * Text that cannot steer a terminal: control characters other than line feed and tab, those that turn the reading
 * direction, and those without width that no script needs, become escapes that can be read.
 */
export function visible(text: string): string {
  return text.replace(steering, escaped);
}

const steering =
  /[^\P{Cc}\n\t]|\p{Bidi_Control}|\u034f|[\u00ad\u180e\u200b\u2028\u2029\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/** The same for what a program is to be known by, where a character that shows nothing would hide a difference. */
export function revealed(text: string): string {
  return visible(text).replace(
    /\p{Default_Ignorable_Code_Point}|\p{Cf}|[\u2800\ufffc\u2d7f\u{1107f}\u{13441}\u{13442}\u{16fe4}\u{1d159}]/gu,
    escaped,
  );
}

/** `\u202e` or `\u{e0041}` */
export function escaped(character: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16);
  return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits.padStart(4, "0")}`;
}
