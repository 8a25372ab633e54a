import type { Json, JsonObject, ToolCall } from "@cogency/protocol";
import { fold } from "./echo-texts.ts";

/**
 * Whether a folded text (`fold`) holds the call: as JSON, `{name:read,args:{file:a.md}}` in any key order and with other
 * keys beside the two, or in the XML dialect, `<read><file>a.md</file></read>`, or as the ReAct form writes it.
 */
export function callMatcher({ name: given, args }: ToolCall): (text: string) => boolean {
  const name = fold(given);
  const member = new RegExp(`[{,](?:${nameKeys.join("|")}):${name.replace(/\W/g, "\\$&")}[,}]`);
  const expected = preparedObject(args);
  const isEmpty = Object.keys(args).length === 0;

  return (text) => {
    // Each step into a text is paid for. Only text made for that purpose costs more than this, and then the answer is yes.
    const cursor: Cursor = { text, credit: leastCredit + creditPerCharacter * (text.length + expected.size) };
    return asJson(cursor) || asElement(cursor) || cursor.credit < 0;
  };

  function asJson(cursor: Cursor): boolean {
    const { text } = cursor;
    for (const key of argumentKeys) {
      for (const at of occurrences(cursor, `${key}:{`)) {
        const end = valueEnd(cursor, expected, at + key.length + 1);
        if (end !== undefined && (isEmpty ? isBeside(text, at, end) : isNear(cursor, at, end))) return true;
      }
    }
    return false;
  }

  function asElement(cursor: Cursor): boolean {
    const opening = `<${name}>`;
    for (const at of occurrences(cursor, opening)) {
      const end = membersEnd(cursor, expected, at + opening.length, element);
      if (end !== undefined && cursor.text.startsWith(`</${name}>`, end)) return true;
    }
    return false;
  }

  /** Nothing else stands in the object: without arguments the name says too little. */
  function isBeside(text: string, at: number, end: number): boolean {
    return nameKeys.some(
      (key) =>
        (text.endsWith(`{${key}:${name},`, at) && text.startsWith("}", end)) ||
        (text.startsWith(`,${key}:${name}}`, end) && text.startsWith("{", at - 1)),
    );
  }

  /** Other keys may stand between. */
  function isNear(cursor: Cursor, at: number, end: number): boolean {
    const { text } = cursor;
    if (text.endsWith(`Action:${name}`, at)) return true;
    const places = [text.slice(Math.max(0, at - vicinity), at), text.slice(end, end + vicinity)];
    return places.some((place) => {
      cursor.credit -= place.length;
      return member.test(place);
    });
  }
}

/** How the model or a provider may call the two parts of a call. */
const nameKeys = ["name", "tool"];
const argumentKeys = ["args", "arguments", "ActionInput"];

/** Characters between name and arguments. */
const vicinity = 2000;

const leastCredit = 100_000;
const creditPerCharacter = 10;

interface Cursor {
  text: string;
  /** What comparing may still cost; below zero it ends. */
  credit: number;
}

/** A value as its parts are compared with folded text. */
type Expected =
  | { kind: "text"; spellings: readonly string[]; size: number }
  | { kind: "number"; value: number; size: number }
  | { kind: "array"; items: readonly Expected[]; size: number }
  | ExpectedObject;

interface ExpectedObject {
  kind: "object";
  members: readonly Member[];
  size: number;
}

interface Member {
  key: string;
  value: Expected;
}

function prepared(value: Json): Expected {
  if (typeof value === "number") return { kind: "number", value, size: 1 };
  if (value === null || typeof value === "boolean") return textOf([String(value)]);
  if (typeof value === "string") {
    // In the XML dialect a string in a value that is JSON keeps its escapes where the strings beside it have none.
    const escaped = JSON.stringify(value).slice(1, -1);
    return textOf([value, escaped, escaped.replaceAll("</", "\\u003c/")].map(fold));
  }
  if (Array.isArray(value)) {
    const items = value.map(prepared);
    return { kind: "array", items, size: sizeOf(items) };
  }
  return preparedObject(value);
}

function preparedObject(object: JsonObject): ExpectedObject {
  const members = Object.entries(object).map(([key, inner]) => ({ key: fold(key), value: prepared(inner) }));
  return { kind: "object", members, size: sizeOf(members.map((member) => member.value)) };
}

function textOf(spellings: readonly string[]): Expected {
  return { kind: "text", spellings: [...new Set(spellings)], size: Math.max(...spellings.map(({ length }) => length)) };
}

function sizeOf(parts: readonly Expected[]): number {
  return parts.reduce((sum, { size }) => sum + size, parts.length);
}

function* occurrences(cursor: Cursor, wanted: string): Generator<number> {
  const { text } = cursor;
  for (let at = text.indexOf(wanted); at >= 0 && cursor.credit >= 0; at = text.indexOf(wanted, at + 1)) yield at;
}

/** Where the expected value ends if it stands at `at`. */
function valueEnd(cursor: Cursor, expected: Expected, at: number): number | undefined {
  switch (expected.kind) {
    case "text":
      return textEnd(cursor, expected.spellings, at);
    case "number":
      return numberEnd(cursor, expected.value, at);
    case "array":
      return cursor.text.startsWith("[", at) ? itemsEnd(cursor, expected.items, at + 1) : undefined;
    case "object": {
      if (!cursor.text.startsWith("{", at)) return undefined;
      const end = membersEnd(cursor, expected, at + 1, property);
      return end === undefined ? undefined : closed(cursor, "}", end);
    }
  }
}

function textEnd(cursor: Cursor, spellings: readonly string[], at: number): number | undefined {
  for (const spelling of spellings) {
    if (cursor.credit < 0) return undefined;
    // Most candidates differ at once; only those that do not cost their whole length.
    cursor.credit -= 1;
    if (!cursor.text.startsWith(spelling.slice(0, 16), at)) continue;
    cursor.credit -= spelling.length;
    const end = at + spelling.length;
    if (cursor.text.startsWith(spelling, at) && /^[,}\]<]?$/.test(cursor.text.charAt(end))) return end;
  }
  return undefined;
}

function numberEnd({ text }: Cursor, value: number, at: number): number | undefined {
  const written = /^-?\d[\d.]{0,400}(?:[eE][+-]?\d{1,4})?/.exec(text.slice(at, at + 410))?.[0];
  return written !== undefined && Object.is(Number(written) + 0, value + 0) ? at + written.length : undefined;
}

function itemsEnd(cursor: Cursor, items: readonly Expected[], at: number): number | undefined {
  let place = at;
  for (const [index, item] of items.entries()) {
    if (index > 0 && cursor.text.charAt(place++) !== ",") return undefined;
    const end = valueEnd(cursor, item, place);
    if (end === undefined) return undefined;
    place = end;
  }
  return closed(cursor, "]", place);
}

/** A comma too many does no harm. */
function closed({ text }: Cursor, bracket: string, at: number): number | undefined {
  const place = text.startsWith(",", at) ? at + 1 : at;
  return text.startsWith(bracket, place) ? place + 1 : undefined;
}

/** Where the members end, which stand in any order, each once. */
function membersEnd(cursor: Cursor, { members }: ExpectedObject, at: number, memberEnd: MemberEnd): number | undefined {
  const waiting = [...members];
  let place = at;
  while (waiting.length > 0) {
    let end: number | undefined;
    const found = waiting.findIndex((member) => {
      cursor.credit -= 1;
      if (cursor.credit < 0) return false;
      end = memberEnd(cursor, member, place, waiting.length < members.length);
      return end !== undefined;
    });
    if (end === undefined) return undefined;
    waiting.splice(found, 1);
    place = end;
  }
  return place;
}

type MemberEnd = (cursor: Cursor, member: Member, at: number, follows: boolean) => number | undefined;

const property: MemberEnd = (cursor, { key, value }, at, follows) => {
  const start = `${follows ? "," : ""}${key}:`;
  return cursor.text.startsWith(start, at) ? valueEnd(cursor, value, at + start.length) : undefined;
};

const element: MemberEnd = (cursor, { key, value }, at) => {
  const start = `<${key}>`;
  if (!cursor.text.startsWith(start, at)) return undefined;
  const end = valueEnd(cursor, value, at + start.length);
  return end !== undefined && cursor.text.startsWith(`</${key}>`, end) ? end + key.length + 3 : undefined;
};
