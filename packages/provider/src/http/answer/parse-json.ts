import { answerTooLarge, type CompleteLimits } from "../limits.ts";
import { parseKeepingSource } from "./source-text.ts";

/**
 * Parses JSON that a server sent. Two limits apply first. JSON nested deeper than `limits.depth` is refused, because
 * writing it as JSON again would exhaust the stack. Each value counts as at least 16 bytes of `limits.eventBytes`, because
 * many small values take much more memory than their text.
 *
 * @throws SyntaxError if it is not JSON
 * @throws ProviderError `answer_too_large`
 */
export function parseJSON(text: string, host: string, limits: CompleteLimits): unknown {
  // Every level takes two characters, so that most events need not be scanned.
  const exceeded = text.length > 2 * limits.depth ? exceededLimit(text, limits) : undefined;
  if (exceeded) throw answerTooLarge(host, exceeded, limits);
  return parseKeepingSource(text);
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const leastBytes = 16;
const opening: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const closing: ReadonlySet<number> = new Set([0x7d, 0x5d]);

function exceededLimit(text: string, { depth, eventBytes }: CompleteLimits): "depth" | "eventBytes" | undefined {
  let level = 0;
  let values = 0;
  let isString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isString) {
      if (code === backslash) index++;
      else if (code === quote) isString = false;
    } else if (code === quote) isString = true;
    else if (opening.has(code)) {
      level++;
      values++;
      if (level > depth) return "depth";
    } else if (closing.has(code)) level--;
    else if (code === comma) values++;
  }
  return values * leastBytes > eventBytes ? "eventBytes" : undefined;
}
