/** The markers of the wire (protocol.md §1). They are exact: lower case, no attributes, no inner white space. */
export const THINK = "<think>";
export const THINK_CLOSE = "</think>";
export const EXECUTE = "<execute>";
export const EXECUTE_CLOSE = "</execute>";
export const RESULTS = "<results>";
export const RESULTS_CLOSE = "</results>";
export const END = "<end>";

const markerStart = /<(?=\/?(?:think|execute|results|end)>)/gi;

/**
 * Write `<` as `\u003c` wherever it begins a marker in JSON text, in any letter case, with or without `/`, so that
 * nothing inside a string can be taken for a marker. The JSON keeps its meaning (protocol.md §4).
 */
export function escapeMarkers(json: string): string {
  return json.replace(markerStart, "\\u003c");
}
