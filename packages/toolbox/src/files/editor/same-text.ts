import { unifiedLineEnds } from "../text/line-ends.ts";

/** Whether two texts are the same but for their line ends and a byte order mark: editors leave out both when they read a file. */
export function isSameText(one: string, other: string): boolean {
  return one === other || plain(one) === plain(other);
}

/** A text without what `isSameText` leaves out. */
export function plain(text: string): string {
  return unifiedLineEnds(text.replace(/^\ufeff/, ""));
}
