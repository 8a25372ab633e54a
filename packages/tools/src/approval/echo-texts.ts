import { type Json, type LogEvent, parseResults } from "@cogency/protocol";

/**
 * The texts in which a call may be found of what an event holds of tool results: folded, in each of the ways in which
 * the text may have been meant to be read, and only those that could hold a call at all.
 */
export function echoTexts(event: LogEvent): readonly string[] {
  const known = textsByEvent.get(event);
  if (known) return known;
  const texts = contentsOf(event).flatMap(readings).map(fold).filter(couldHoldCall);
  textsByEvent.set(event, texts);
  return texts;
}

/**
 * A text without what its spelling may vary in: white space, quotes, control and invisible characters. Of the two sides
 * of a comparison both are folded.
 */
export function fold(text: string): string {
  return text.replace(/[\s"'`“”‘’\p{Cc}\p{Cf}]+/gu, "");
}

/** Events never change, and the next batch sees those of this one again. */
const textsByEvent = new WeakMap<LogEvent, readonly string[]>();

function contentsOf(event: LogEvent): string[] {
  if (event.type === "result") {
    const results = parseResults(event.content);
    return results ? results.flatMap(({ content }) => textsOf(content)) : [event.content];
  }
  return event.type === "record" && event.kind === "finished" ? textsOf(event.data.result.content) : [];
}

/** A string as it is; of anything else the JSON text, and each long enough string by itself. */
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

/**
 * The text, and what it becomes when it is read as the inside of a JSON string, as HTML, and as one within the other, up
 * to three deep: a value in JSON in a string of JSON, on a page, is two or three away from what was meant.
 */
function readings(text: string): string[] {
  const found = new Set([text]);
  let latest = [text];
  for (let depth = 0; depth < 3; depth++) {
    latest = latest
      .flatMap((reading) => [unescaped(reading), withoutEntities(reading)])
      .filter((reading) => !found.has(reading) && found.add(reading));
  }
  return [...found];
}

/** One level of JSON string escapes taken away. What is no escape stays. */
function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/\\(?:u([\dA-Fa-f]{4})|(["'\\/bfnrt]))/g, (sequence, hex?: string, letter?: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    return (letter && escapes[letter]) ?? sequence;
  });
}

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

const entity = /&(?:#(\d{1,7})|#[xX]([\dA-Fa-f]{1,6})|([A-Za-z]{2,8}));?/g;

/** Those that stand for what calls are made of. */
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

/** An object of arguments, or two tags in a row. */
function couldHoldCall(folded: string): boolean {
  return folded.includes(":{") || folded.includes("><");
}
