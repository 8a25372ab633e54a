import { callback, checkOptions, type OptionTable } from "../options/index.ts";
import type { FinishReason } from "../usage.ts";
import { type Parser, type ParserEvent, type ParserOptions, parserOptions, StreamingParser } from "./parser.ts";
import { createSettler, type Settler, settle } from "./settle.ts";

export interface ParseOptions extends ParserOptions {
  /** Called once, after the last piece of text. Returns how the generation ended; defaults to `"stop"`. */
  finish?: (() => FinishReason) | undefined;
}

/** The parser of `where`, a function that takes `ParseOptions`. Throws as `createParser` does. */
export function parserFor(where: string, options: ParseOptions): Parser {
  checkOptions(where, options, { ...parserOptions, finish: callback } satisfies OptionTable<ParseOptions>);
  return new StreamingParser(options);
}

/**
 * Parses a generation as it arrives, into the event view. Reading stops, and the source is closed, as soon as the parser
 * is done (protocol.md P5). Errors of the source pass through.
 *
 * @throws as `createParser`
 */
export function parse(
  source: string | Iterable<string> | AsyncIterable<string>,
  options: ParseOptions = {},
): AsyncGenerator<ParserEvent, void, undefined> {
  return read(parserFor("parse", options), source, options.finish);
}

async function* read(
  parser: Parser,
  source: string | Iterable<string> | AsyncIterable<string>,
  finish: ParseOptions["finish"],
): AsyncGenerator<ParserEvent, void, undefined> {
  const settler = createSettler<ParserEvent>();
  for await (const chunk of typeof source === "string" ? [source] : source) {
    for (const event of settled(settler, parser.write(chunk))) yield event;
    if (parser.done) break;
  }
  for (const event of [...settled(settler, parser.end(finish?.())), ...settler.end()]) yield event;
}

/**
 * Parses a whole generation into the event view.
 *
 * @throws as `createParser`
 */
export function parseSync(text: string, options: ParseOptions = {}): ParserEvent[] {
  const parser = parserFor("parseSync", options);
  return [...settle([...parser.write(text), ...parser.end(options.finish?.())])];
}

/** The events that these settle. A function of its own, because engines are slow to compile a loop that awaits. */
function settled(settler: Settler<ParserEvent>, events: ParserEvent[]): ParserEvent[] {
  return events.flatMap((event) => settler.write(event));
}
