import type { AgentEvent } from "./events.ts";
import { createParser, type ParserOptions } from "./parser.ts";
import { createSettler } from "./settle.ts";
import type { FinishReason } from "./usage.ts";

export interface ParseOptions extends ParserOptions {
  /** Asked once at the end of the text: how the generation ended. `"stop"` by default. */
  finish?: (() => FinishReason) | undefined;
}

/**
 * Parse a generation as it arrives, in the event view. Reading stops, and the source is closed, as soon as the parser
 * is done (protocol.md P5). Whatever the source throws is thrown.
 */
export async function* parse(
  source: string | Iterable<string> | AsyncIterable<string>,
  options: ParseOptions = {},
): AsyncGenerator<AgentEvent, void, undefined> {
  const parser = createParser(options);
  const settler = createSettler();
  for await (const chunk of typeof source === "string" ? [source] : source) {
    // `yield*` waits once more for each array, also for an empty one.
    for (const event of parser.write(chunk)) for (const settled of settler.write(event)) yield settled;
    if (parser.done) break;
  }
  for (const event of parser.end(options.finish?.())) for (const settled of settler.write(event)) yield settled;
  for (const settled of settler.end()) yield settled;
}

/** Parse a whole generation, in the event view. */
export function parseSync(text: string, options: ParseOptions = {}): AgentEvent[] {
  const parser = createParser(options);
  const settler = createSettler();
  const events = [...parser.write(text), ...parser.end(options.finish?.())];
  return [...events.flatMap((event) => settler.write(event)), ...settler.end()];
}
