/** The markers of the wire (protocol.md §1). They are exact: lower case, no attributes, no white space inside. */
export const THINK = "<think>";
export const THINK_CLOSE = "</think>";
export const EXECUTE = "<execute>";
export const EXECUTE_CLOSE = "</execute>";
export const RESULTS = "<results>";
export const RESULTS_CLOSE = "</results>";
export const END = "<end>";

const markerStart = /<(?=\/?(?:think|execute|results|end)>)/gi;

/**
 * Replaces `<` wherever it begins a marker, in any letter case, with or without `/`, so that nothing in the text reads
 * as a marker. JSON keeps its meaning (protocol.md §4).
 *
 * @example escapeMarkers('"a </results> b"') gives '"a \\u003c/results> b"'
 */
export function escapeMarkers(text: string, escaped = "\\u003c"): string {
  return text.replace(markerStart, escaped);
}
