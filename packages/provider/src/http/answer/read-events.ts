import { answerTooLarge, type CompleteLimits } from "../limits.ts";
import { createGrowingBytes } from "./growing-bytes.ts";
import { parseJSON } from "./parse-json.ts";
import { readBody } from "./read-body.ts";

export interface ReadEventsOptions {
  /** The server's host, for error messages. */
  host: string;
  limits: CompleteLimits;
  /** Ends the events and closes the connection; nothing is thrown. */
  signal?: AbortSignal | undefined;
  /** Whether the answer is complete. From then on the end of the body is awaited for a moment only. */
  isComplete?: (() => boolean) | undefined;
  /** Data that is not JSON and marks the end of the answer, such as `[DONE]`. */
  last?: string | undefined;
  /** The body is not an event stream: each of its lines is the JSON of an event. */
  isJSONLines?: boolean | undefined;
}

/**
 * The parsed JSON of each server-sent event of a body, as it arrives. Events without data, which keep a connection alive,
 * are ignored. A body that is JSON, from a server that does not stream, is one event, whatever its content type; a body
 * that only begins like JSON is none. The field `error` of older builds of llama.cpp is an event too.
 *
 * @throws SyntaxError for data that is not JSON
 * @throws ProviderError `answer_too_large` for an event beyond `limits.eventBytes` or `limits.depth`
 * @throws any error of reading the body, unchanged
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array> | null,
  { host, limits, signal, isComplete = () => false, last, isJSONLines = false }: ReadEventsOptions,
): AsyncGenerator<unknown, void, undefined> {
  if (!body) return;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const lines = createLineReader();
  let data: string[] = [];
  /** Bytes of the event so far, without its current line. */
  let held = 0;
  let isDone = false;
  let isFirstLine = true;
  let isWhole: boolean | undefined;

  /** Returns the event that ends with this line. JSON has no `undefined`. */
  function readLine(bytes: Uint8Array): unknown {
    const line = isFirstLine && startsWith(bytes, byteOrderMark) ? bytes.subarray(byteOrderMark.length) : bytes;
    isFirstLine = false;
    if (isJSONLines) return readData(decoder.decode(line));
    const value = fieldOf(line, dataField);
    if (value) {
      data.push(decoder.decode(value));
      held += line.length;
      return undefined;
    }
    if (line.length === 0) {
      if (data.length === 0) return undefined;
      const text = data.join("\n");
      data = [];
      held = 0;
      return readData(text);
    }
    const error = fieldOf(line, errorField);
    return error && readData(decoder.decode(error));
  }

  function readData(text: string): unknown {
    if (last !== undefined && text.startsWith(last)) isDone = true;
    return isDone || text.trim() === "" ? undefined : parseJSON(text, host, limits);
  }

  function take(bytes: Uint8Array): Uint8Array {
    // No line of an event stream begins like this: servers mix up the two content types.
    const begin = isWhole === undefined && !isJSONLines ? bytes.findIndex((byte) => !blank.has(byte)) : -1;
    if (begin === -1) return bytes;
    isWhole = bytes[begin] === openBrace || bytes[begin] === openBracket;
    return isWhole ? bytes.subarray(begin) : bytes;
  }

  for await (const bytes of readBody(body, () => isDone || isComplete(), signal)) {
    const taken = take(bytes);
    if (isWhole) lines.append(taken);
    else {
      for (const line of lines.split(taken, checkLength)) {
        const event = readLine(line);
        if (event !== undefined) yield event;
      }
    }
    checkLength(lines.unfinished);
  }
  if (signal?.aborted) return;
  const rest = lines.take();
  if (isWhole) {
    const event = wholeEvent(decoder.decode(rest), host, limits);
    if (event !== undefined) yield event;
    return;
  }
  // The last event may lack the empty line that ends it.
  for (const line of rest.length > 0 ? [rest, new Uint8Array()] : [new Uint8Array()]) {
    const event = readLine(line);
    if (event !== undefined) yield event;
  }

  function checkLength(length: number) {
    if (held + length > limits.eventBytes) throw answerTooLarge(host, "eventBytes", limits);
  }
}

function wholeEvent(text: string, host: string, limits: CompleteLimits): unknown {
  try {
    return parseJSON(text, host, limits);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;
const space = 0x20;
const openBrace = 0x7b;
const openBracket = 0x5b;
const byteOrderMark = [0xef, 0xbb, 0xbf];
const blank: ReadonlySet<number> = new Set([space, 0x09, lineFeed, carriageReturn, ...byteOrderMark]);
const dataField = bytesOf("data");
const errorField = bytesOf("error");

function bytesOf(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

function startsWith(bytes: Uint8Array, beginning: readonly number[]): boolean {
  return bytes[0] === beginning[0] && beginning.every((byte, index) => bytes[index] === byte);
}

/** The value of the line if it has this field. A field without a colon has an empty value. */
function fieldOf(line: Uint8Array, field: readonly number[]): Uint8Array | undefined {
  if (!startsWith(line, field)) return undefined;
  if (line.length === field.length) return new Uint8Array();
  if (line[field.length] !== colon) return undefined;
  return line.subarray(field.length + (line[field.length + 1] === space ? 2 : 1));
}

/**
 * Cuts bytes into lines, which end in a line feed, a carriage return or both. A line is yielded as soon as its end has
 * arrived, even if a line feed may still follow a carriage return. Of several empty lines in a row only the first is
 * yielded, because the others mean nothing and a server can send millions of them.
 */
function createLineReader() {
  const unfinished = createGrowingBytes();
  let endedInReturn = false;
  let wasEmpty = false;
  return {
    get unfinished() {
      return unfinished.length;
    },
    append: (bytes: Uint8Array) => unfinished.append(bytes),
    take: () => unfinished.take(),
    /** @param check called with the length of each line, before the line is yielded */
    *split(bytes: Uint8Array, check: (length: number) => void): Generator<Uint8Array> {
      let start = endedInReturn && bytes[0] === lineFeed ? 1 : 0;
      if (bytes.length > 0) endedInReturn = false;
      if (wasEmpty && unfinished.length === 0) start = skipLineBreaks(bytes, start);
      let feed = bytes.indexOf(lineFeed, start);
      let carriage = bytes.indexOf(carriageReturn, start);
      while (feed !== -1 || carriage !== -1) {
        const end = feed === -1 ? carriage : carriage === -1 ? feed : Math.min(feed, carriage);
        const piece = bytes.subarray(start, end);
        check(unfinished.length + piece.length);
        wasEmpty = unfinished.length === 0 && piece.length === 0;
        if (unfinished.length === 0) yield piece;
        else {
          unfinished.append(piece);
          yield unfinished.take();
        }
        const isPair = end === carriage && bytes[end + 1] === lineFeed;
        endedInReturn = end === carriage && end === bytes.length - 1;
        start = end + (isPair ? 2 : 1);
        if (wasEmpty) start = skipLineBreaks(bytes, start);
        if (feed !== -1 && feed < start) feed = bytes.indexOf(lineFeed, start);
        if (carriage !== -1 && carriage < start) carriage = bytes.indexOf(carriageReturn, start);
      }
      unfinished.append(bytes.subarray(start));
    },
  };
}

function skipLineBreaks(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at] === lineFeed || bytes[at] === carriageReturn) at++;
  return at;
}
