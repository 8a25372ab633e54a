/** A text on one line: white space and control characters are one space each time, and what a screen does not show is gone. */
export function oneLine(text: string): string {
  return shown(text)
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
}

/** A text without characters that nobody sees: a person did not read them, so they are not their words, and they could split a secret. */
export function shown(text: string): string {
  return text.toWellFormed().replaceAll(unseen, "");
}

/**
 * Marks of direction, characters without width, tags, and selectors of variants. Left are those that writing needs: the two joiners, and
 * the selectors of emoji; more than two of them in a row spell no letter.
 */
const unseen =
  /(?:\u200c|\u200d|\ufe0e|\ufe0f){3,}|(?!\u200c|\u200d|\ufe0e|\ufe0f)(?:\p{Default_Ignorable_Code_Point}|\p{Cf}|\p{Bidi_Control})/gu;
