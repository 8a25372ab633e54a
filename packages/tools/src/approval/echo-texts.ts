import { type Json, type LogEvent, parseResults, type ToolResult } from "@cogency/protocol";
import { untrustedSource } from "./untrusted-source.ts";

/** A text in which a call may have been planted. */
export interface EchoText {
  readonly text: string;
  /** As a person reads it: `a result of scrape`. */
  readonly source: string;
}

/** The texts of tool results and of untrusted input in an event. */
export function echoTexts(event: LogEvent): EchoText[] {
  return contentsOf(event).filter(({ text }) => text.length >= shortestCall);
}

/**
 * Yields the text and its decodings: as the inside of a JSON string, as HTML, as part of a URL, and nested up to three deep,
 * as JSON within a string of JSON on a page is. Each reading is folded, and none comes twice. If the readings take more than
 * `mostCharacters` in all, only one level is decoded.
 */
export function* readings(text: string): Generator<string, undefined> {
  const folded = new Set<string>();
  const found = new Set([text]);
  let latest = [text];
  let room = mostCharacters;
  yield* foldedOnce(text);
  for (let depth = 0; depth < 3; depth++) {
    const next: string[] = [];
    for (const reading of latest) {
      for (const decode of decoders) {
        if (depth > 0 && room < text.length) return;
        const decoded = decode(reading);
        if (found.has(decoded)) continue;
        found.add(decoded);
        next.push(decoded);
        room -= decoded.length;
        yield* foldedOnce(decoded);
      }
    }
    latest = next;
  }

  function* foldedOnce(reading: string): Generator<string> {
    const text = fold(reading);
    if (folded.has(text)) return;
    folded.add(text);
    yield text;
  }
}

const decoders = [unescaped, withoutEntities, withoutPercents];

/** The most characters of all readings of one text. */
const mostCharacters = 500_000;

/**
 * Folds a text for comparison: without white space, quotes, control and invisible characters, and with full-width letters
 * and punctuation as ordinary ones. Both sides of a comparison must be folded.
 */
export function fold(text: string): string {
  return text
    .replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\s"'`“”‘’\p{Cc}\p{Cf}]+/gu, "");
}

function contentsOf(event: LogEvent): EchoText[] {
  if (event.type === "user") {
    const source = untrustedSource(event);
    return source === undefined ? [] : [{ text: event.content, source }];
  }
  if (event.type === "result") {
    const results = parseResults(event.content);
    return results ? results.flatMap(contentsOfResult) : [{ text: event.content, source: "an earlier result" }];
  }
  // A log from elsewhere may hold records without data.
  const result = event.type === "record" && event.kind === "finished" ? event.data?.result : undefined;
  return result?.content === undefined ? [] : contentsOfResult(result);
}

function contentsOfResult({ tool, content }: ToolResult): EchoText[] {
  return textsOf(content).map((text) => ({ text, source: `a result of ${tool}` }));
}

/** A string as it is. For any other value its JSON, and each string in it that is long enough to hold a call. */
function textsOf(content: Json): string[] {
  if (typeof content === "string") return [content];
  const texts = [JSON.stringify(content)];
  const open: Json[] = [content];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === "string" && value.length >= shortestCall) texts.push(value);
    else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) open.push(inner);
  }
  return texts;
}

/** `<x></x>` is as short as a call can be. */
const shortestCall = 7;

/** Removes one level of the escapes of JSON and JavaScript strings. */
function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(escapeSequence, (sequence, unit?: string, byte?: string, letter?: string) => {
    const hex = unit ?? byte;
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    return (letter && escapes[letter]) ?? sequence;
  });
}

const escapeSequence = /\\(?:u([\dA-Fa-f]{4})|x([\dA-Fa-f]{2})|(["'\\/bfnrt]))/g;

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

function withoutEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(entity, (written, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return entities[name] ?? written;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : written;
  });
}

/** Decodes the percent escapes of printable ASCII. Other bytes are parts of characters, and stay. */
function withoutPercents(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/%([2-7][\dA-Fa-f])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const entity = /&(?:#(\d{1,7})|#[xX]([\dA-Fa-f]{1,6})|([A-Za-z]{2,8}));?/g;

/** Entities of the characters that calls are made of. */
const entities: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  lt: "<",
  gt: ">",
  amp: "&",
  nbsp: " ",
  lbrace: "{",
  lcub: "{",
  rbrace: "}",
  rcub: "}",
  lbrack: "[",
  lsqb: "[",
  rbrack: "]",
  rsqb: "]",
  colon: ":",
  comma: ",",
  period: ".",
  sol: "/",
  bsol: "\\",
  lowbar: "_",
  vert: "|",
  NewLine: "\n",
  Tab: "\t",
};
