import { createParser, type ParserEvent, type ParserOptions } from "../src/parse/parser.ts";
import { settle } from "../src/parse/settle.ts";
import type { FinishReason } from "../src/usage.ts";

/** The token view of these chunks. */
export function read(chunks: readonly string[], options: ParserOptions = {}, finish?: FinishReason): ParserEvent[] {
  const parser = createParser({ ...options, clock: () => 1 });
  return [...chunks.flatMap((chunk) => parser.write(chunk)), ...parser.end(finish)];
}

/** The event view of these chunks. */
export function readSettled(chunks: readonly string[], options?: ParserOptions, finish?: FinishReason) {
  return [...settle(read(chunks, options, finish))];
}

/** The event view of a text or of its chunks, without timestamps. */
export function events(text: string | readonly string[], options?: ParserOptions, finish?: FinishReason) {
  return readSettled([text].flat(), options, finish).map(({ timestamp: _, ...event }) => event);
}

/** The types of a text's settled events; of an error, its code. */
export function eventTypes(text: string, options?: ParserOptions, finish?: FinishReason): string[] {
  return events(text, options, finish).map((event) => ("code" in event ? event.code : event.type));
}

/** The contents of the calls that take effect. */
export function calls(text: string, options?: ParserOptions, finish?: FinishReason): string[] {
  return events(text, options, finish).flatMap((event) =>
    event.type === "call" && "content" in event ? event.content : [],
  );
}

/** A block of the JSON dialect with one call that has these arguments. */
export function callWith(args: string): string {
  return `<execute>[{"name":"w","args":${args}}]</execute>`;
}
