/**
 * Quotes foreign text inside an answer. The code delimiters are longer than any run of backticks in it, so that a marker
 * in it stays text (protocol.md P10).
 */
export function codeSpan(text: string): string {
  const line = text.replace(/\s*[\r\n]\s*/g, " ");
  if (line === "") return '""';
  const delimiter = "`".repeat(longestRun(line) + 1);
  const padding = /^`|`$|^ .* $/.test(line) ? " " : "";
  return delimiter + padding + line + padding + delimiter;
}

/** Text of several lines, on lines of its own. */
export function codeFence(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${text.replace(/\r?\n$/, "")}\n${fence}`;
}

/** A quotation after a colon, with the white space it needs: a span for one line, else a fenced block. */
export function quote(text: string): string {
  return /[\r\n]/.test(text.trim()) ? `\n\n${codeFence(text)}` : ` ${codeSpan(text.trim())}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
