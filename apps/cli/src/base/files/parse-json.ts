import { UsageError } from "../errors/usage-error.ts";
import { oneLine } from "../terminal/text.ts";

/**
 * Parses the text of a file. Errors give the line, and never quote the text: it may be another file than a person thinks.
 *
 * @throws UsageError with the file, and the line where its JSON breaks off
 */
export function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const line = text.slice(0, brokenAt(text)).split("\n").length;
    const problem = /^\s*\/[/*]/m.test(text) ? "JSON has no comments" : "this is not JSON";
    // The cause would quote the text.
    throw new UsageError(`${oneLine(file, 300)}, line ${line}: ${problem}.`);
  }
}

/** How long the longest beginning of the text is that JSON can begin with. */
function brokenAt(text: string): number {
  let [good, bad] = [0, text.length + 1];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (mayGoOn(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

/** Whether what is wrong with a text is that it ends. */
function mayGoOn(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    if (message.startsWith("Unexpected end of JSON input")) return true;
    return Number(/at position (\d+)/.exec(message)?.[1]) >= text.length || message.startsWith("Unterminated string");
  }
}
