import type { Json, JsonObject, ToolCall } from "@cogency/protocol";
import { fold } from "./echo-texts.ts";

/** A folded text that is searched for several calls. Positions that they share are found once. */
export interface SearchedText {
  readonly text: string;
  /** The index behind each occurrence of `wanted`. */
  endsOf(wanted: string): readonly number[];
  /** For each object of arguments: the index of its key, and the index behind its opening brace. */
  argumentsOpenings(): readonly (readonly [at: number, open: number])[];
}

export function searchedText(text: string): SearchedText {
  const found = new Map<string, readonly number[]>();
  let openings: readonly (readonly [number, number])[] | undefined;
  return {
    text,
    endsOf(wanted) {
      const ends = found.get(wanted) ?? endsIn(text, wanted);
      found.set(wanted, ends);
      return ends;
    },
    argumentsOpenings() {
      openings ??= Array.from(text.matchAll(argumentsOpening), ({ index, 0: { length } }) => [index, index + length]);
      return openings;
    },
  };
}

function endsIn(text: string, wanted: string): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) ends.push(at + wanted.length);
  return ends;
}

/**
 * The steps that comparing all calls of a batch with all texts may still take. Below zero the search ends and the answer is
 * yes; only texts that were made to take long get there.
 */
export interface Credit {
  left: number;
}

/** The credit of a new batch. */
export function createCredit(): Credit {
  return { left: leastCredit };
}

/** Adds credit for a text that is searched, or for a call. */
export function extend(credit: Credit, characters: number): void {
  if (credit.left >= 0) credit.left += creditPerCharacter * characters;
}

/**
 * Whether a folded text (`fold`) holds the call, in one of the forms in which calls are written:
 *
 * - JSON: `{name:read,args:{file:a.md}}`, in any key order and with other keys beside the two, or `read:{file:a.md}`
 * - as a function: `read(file=a.md)`, `read({file:a.md})`
 * - tags: `<read><file>a.md</file></read>`, `<readfile=a.md/>`, `<invokename=read><parametername=file>a.md</parameter>`
 * - lines: `name:read args:file:a.md`, and the ReAct form
 *
 * In all of them the name stands next to a character that `EchoFilter` looks for.
 */
export function callMatcher({ name: given, args }: ToolCall, credit: Credit): (searched: SearchedText) => boolean {
  const name = fold(given);
  const member = new RegExp(`[{,](?:${nameKeys}):(?:functions\\.)?${name.replace(/\W/g, "\\$&")}[,}]`);
  const expected = preparedObject(args);
  const isEmpty = Object.keys(args).length === 0;
  const forms = isEmpty ? [asElement] : [asElement, asNamedObject, asFunction, asAttributes, asParameters, asLines];
  extend(credit, expected.size);

  return (searched) => {
    const { text } = searched;
    const cursor: Cursor = { text, searched, credit, isLoose: false };
    return credit.left < 0 || asJson(cursor) || forms.some((form) => form(cursor)) || credit.left < 0;
  };

  function asJson(cursor: Cursor): boolean {
    const { text } = cursor;
    for (const [at, open] of openings(cursor)) {
      const end = valueEnd(cursor, expected, open - 1);
      if (end !== undefined && (isEmpty ? isBeside(text, at, end) : isNear(cursor, at, end))) return true;
    }
    return false;
  }

  function asElement(cursor: Cursor): boolean {
    const { text } = cursor;
    for (const at of ends(cursor, `<${name}>`)) {
      const end = membersEnd(cursor, expected, at, element);
      if (end !== undefined && text.startsWith(`</${name}>`, end)) return true;
    }
    for (const at of ends(cursor, `>${name}</`)) {
      const open = matchEnd(text, argumentsElement, at);
      const end = open && membersEnd(cursor, expected, open, element);
      if (end && text.startsWith("</", end)) return true;
    }
    return false;
  }

  function asNamedObject(cursor: Cursor): boolean {
    for (const opening of [`${name}:{`, `${name}{`, `${name}({`]) {
      for (const at of ends(cursor, opening)) if (valueEnd(cursor, expected, at - 1) !== undefined) return true;
    }
    return false;
  }

  function asFunction(cursor: Cursor): boolean {
    for (const at of ends(cursor, `${name}(`)) {
      const end = membersEnd(cursor, expected, at, keyword);
      if (end !== undefined && closed(cursor, ")", end)) return true;
    }
    return false;
  }

  function asAttributes(cursor: Cursor): boolean {
    for (const at of ends(cursor, `<${name}`)) {
      const end = loosely(cursor, () => membersEnd(cursor, expected, at, attribute));
      if (end !== undefined && /[/>]/.test(cursor.text.charAt(end))) return true;
    }
    return false;
  }

  function asParameters(cursor: Cursor): boolean {
    for (const at of ends(cursor, `=${name}>`)) {
      const end = membersEnd(cursor, expected, at, parameter);
      if (end !== undefined && cursor.text.startsWith("</", end)) return true;
    }
    return false;
  }

  function asLines(cursor: Cursor): boolean {
    for (const at of ends(cursor, `:${name}`)) {
      const open = matchEnd(cursor.text, argumentsLine, at);
      if (open && loosely(cursor, () => membersEnd(cursor, expected, open, line)) !== undefined) return true;
    }
    return false;
  }

  /** For a call without arguments: whether name and arguments are the only members of the object. */
  function isBeside(text: string, at: number, end: number): boolean {
    return ["name", "tool"].some(
      (key) =>
        (text.endsWith(`{${key}:${name},`, at) && text.startsWith("}", end)) ||
        (text.startsWith(`,${key}:${name}}`, end) && text.startsWith("{", at - 1)),
    );
  }

  /** Whether the name stands near the arguments. Other keys may stand between. */
  function isNear(cursor: Cursor, at: number, end: number): boolean {
    const { text } = cursor;
    if (text.endsWith(`Action:${name}`, at)) return true;
    const surroundings = [text.slice(Math.max(0, at - vicinity), at), text.slice(end, end + vicinity)];
    return surroundings.some((part) => {
      cursor.credit.left -= part.length;
      return member.test(part);
    });
  }
}

/** The keys that models and providers use for the name and for the arguments of a call. */
const nameKeys = "name|tool|tool_name|function|function_name|action";
const argumentKeys = "args|arguments|ActionInput|action_input|parameters|params|input|tool_input|kwargs";
const argumentsOpening = new RegExp(`(?:${argumentKeys}):\\{`, "g");

const argumentsElement = new RegExp(`(?:${nameKeys})><(?:${argumentKeys})>`, "y");
const argumentsLine = new RegExp(`-?(?:${argumentKeys}):`, "y");

/** Characters between name and arguments. */
const vicinity = 2000;

const leastCredit = 100_000;
const creditPerCharacter = 5;

interface Cursor {
  text: string;
  searched: SearchedText;
  credit: Credit;
  /** Whether more text may follow a text value: the caller compares it, or nothing separates the two. */
  isLoose: boolean;
}

/** A value, prepared for comparison with folded text. */
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

/** The index behind each occurrence of `wanted`, while there is credit. */
function* ends({ searched, credit }: Cursor, wanted: string): Generator<number> {
  for (const end of searched.endsOf(wanted)) {
    credit.left -= 1;
    if (credit.left < 0) return;
    yield end;
  }
}

function* openings({ searched, credit }: Cursor): Generator<readonly [at: number, open: number]> {
  for (const opening of searched.argumentsOpenings()) {
    credit.left -= 1;
    if (credit.left < 0) return;
    yield opening;
  }
}

/** Where a sticky pattern ends if it matches at `at`. */
function matchEnd(text: string, pattern: RegExp, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function loosely<T>(cursor: Cursor, compare: () => T): T {
  cursor.isLoose = true;
  const result = compare();
  cursor.isLoose = false;
  return result;
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
    if (cursor.credit.left < 0) return undefined;
    // Most candidates differ at once; only those that do not cost their whole length.
    cursor.credit.left -= 1;
    if (!cursor.text.startsWith(spelling.slice(0, 16), at)) continue;
    cursor.credit.left -= spelling.length;
    const end = at + spelling.length;
    if (!cursor.text.startsWith(spelling, at)) continue;
    if (cursor.isLoose || /^[,}\]<)]?$/.test(cursor.text.charAt(end))) return end;
  }
  return undefined;
}

function numberEnd({ text }: Cursor, value: number, at: number): number | undefined {
  const written = /^-?\d[\d.]{0,400}(?:[eE][+-]?\d{1,4})?/.exec(text.slice(at, at + 410))?.[0];
  return written !== undefined && Object.is(Number(written) + 0, value + 0) ? at + written.length : undefined;
}

function itemsEnd(cursor: Cursor, items: readonly Expected[], at: number): number | undefined {
  let next = at;
  for (const [index, item] of items.entries()) {
    if (index > 0 && cursor.text.charAt(next++) !== ",") return undefined;
    const end = valueEnd(cursor, item, next);
    if (end === undefined) return undefined;
    next = end;
  }
  return closed(cursor, "]", next);
}

/** Where a closing bracket at `at` ends; a comma may stand before it. */
function closed({ text }: Cursor, bracket: string, at: number): number | undefined {
  const expected = text.startsWith(",", at) ? at + 1 : at;
  return text.startsWith(bracket, expected) ? expected + 1 : undefined;
}

/** Where the members end if they all stand at `at`, in any order, each once. */
function membersEnd(cursor: Cursor, { members }: ExpectedObject, at: number, memberEnd: MemberEnd): number | undefined {
  let waiting = members;
  let next = at;
  while (waiting.length > 0) {
    const follows = waiting.length < members.length;
    let found: Member | undefined;
    for (const member of waiting) {
      cursor.credit.left -= 1;
      if (cursor.credit.left < 0) return undefined;
      const end = memberEnd(cursor, member, next, follows);
      if (end === undefined) continue;
      next = end;
      found = member;
      break;
    }
    if (!found) return undefined;
    waiting = waiting.filter((member) => member !== found);
  }
  return next;
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

const keyword: MemberEnd = (cursor, { key, value }, at, follows) => {
  const start = `${follows ? "," : ""}${key}`;
  if (!cursor.text.startsWith(start, at) || !/[=:]/.test(cursor.text.charAt(at + start.length))) return undefined;
  return valueEnd(cursor, value, at + start.length + 1);
};

const attribute: MemberEnd = (cursor, { key, value }, at) => {
  return cursor.text.startsWith(`${key}=`, at) ? valueEnd(cursor, value, at + key.length + 1) : undefined;
};

const parameter: MemberEnd = (cursor, { key, value }, at) => {
  const open = matchEnd(cursor.text, parameterOpening, at);
  if (!open || !cursor.text.startsWith(`${key}>`, open)) return undefined;
  const end = valueEnd(cursor, value, open + key.length + 1);
  return end === undefined ? undefined : matchEnd(cursor.text, closingTag, end);
};

const parameterOpening = /<(?:\w{1,20}:)?(?:parameter|param|argument|arg)(?:name)?=/y;
const closingTag = /<\/(?:\w{1,20}:)?\w{1,20}>/y;

const line: MemberEnd = (cursor, { key, value }, at) => {
  const start = cursor.text.startsWith("-", at) ? at + 1 : at;
  return cursor.text.startsWith(`${key}:`, start) ? valueEnd(cursor, value, start + key.length + 1) : undefined;
};
