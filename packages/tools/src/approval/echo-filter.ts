import type { LogEvent } from "@cogency/protocol";
import { echoTexts, readings } from "./echo-texts.ts";
import { untrustedSource } from "./untrusted-source.ts";

/**
 * A small filter over the texts of an event. For most tools it says at once that no call of them stands there. It ignores
 * arguments; where it says yes, the texts must be searched.
 */
export interface EchoFilter {
  /** Whether a call of a tool of this folded name may stand there. */
  mayHold(name: string): boolean;
}

/**
 * Makes the filter of an event. It is kept by content, because each batch reads the same events from the log again. Pauses
 * between readings.
 */
export function* echoFilter(event: LogEvent): Generator<undefined, EchoFilter> {
  const content = contentOf(event);
  if (content === undefined) return nothing;
  const known = recall(event.type, content);
  if (known) return known;
  const marks = createMarks(marksFor(content));
  yield* markTexts(marks, event);
  const filter = filterOf(marks);
  remember(event.type, content, filter);
  return filter;
}

/** @param words of 32 bits */
export function createMarks(words: number): Uint32Array {
  return new Uint32Array(words);
}

/** Marks the names that may stand in the texts of an event. Pauses between readings. */
export function* markTexts(marks: Uint32Array, event: LogEvent): Generator<undefined, void> {
  for (const { text } of echoTexts(event)) {
    for (const reading of readings(text)) {
      mark(marks, reading);
      yield;
    }
  }
}

export function filterOf(marks: Uint32Array): EchoFilter {
  return { mayHold: (name) => mayHold(marks, name) };
}

/** The size of the filter in words of 32 bits. A text that sets all bits is searched for every tool. */
function marksFor(content: string): number {
  return content.length < 4096 ? 32 : 1024;
}

const nothing: EchoFilter = { mayHold: () => false };

/** The content from which `echoTexts` makes its texts, without the name of the tool. */
function contentOf(event: LogEvent): string | undefined {
  if (event.type === "result" || (event.type === "user" && untrustedSource(event) !== undefined)) return event.content;
  if (event.type !== "record" || event.kind !== "finished") return undefined;
  const content = event.data?.result?.content;
  // As JSON, so that a string and the JSON of another value stay different.
  return content === undefined ? undefined : JSON.stringify(content);
}

/** In every form of a call its name stands behind an opening character, or before a closing one. */
const opens = 1;
const closes = 2;
const kinds = new Uint8Array(0x80);
for (const character of "<:>=.") kinds[character.charCodeAt(0)] = opens;
for (const character of "({:") kinds[character.charCodeAt(0)] = (kinds[character.charCodeAt(0)] ?? 0) | closes;

/** Characters of a name that are hashed. */
const reach = 3;

function mark(marks: Uint32Array, text: string): void {
  for (let at = 0; at < text.length; at++) {
    const kind = kinds[text.charCodeAt(at)];
    if (!kind) continue;
    if (kind & opens) for (let length = 1; length <= reach; length++) set(marks, hashOf(text, at + 1, 1, length));
    if (kind & closes) for (let length = 1; length <= reach; length++) set(marks, hashOf(text, at - 1, -1, length));
  }
}

function mayHold(marks: Uint32Array, name: string): boolean {
  const length = Math.min(reach, name.length);
  return isSet(marks, hashOf(name, 0, 1, length)) || isSet(marks, hashOf(name, name.length - 1, -1, length));
}

/** Hashes `length` characters from an index on, forwards or backwards. */
function hashOf(text: string, from: number, step: 1 | -1, length: number): number {
  let hash = length * step;
  for (let count = 0, at = from; count < length; count++, at += step) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}

function set(marks: Uint32Array, hash: number): void {
  const bit = hash % (marks.length * 32);
  marks[bit >>> 5] = (marks[bit >>> 5] as number) | (1 << (bit & 31));
}

function isSet(marks: Uint32Array, hash: number): boolean {
  const bit = hash % (marks.length * 32);
  return ((marks[bit >>> 5] as number) & (1 << (bit & 31))) !== 0;
}

/** By the type of the event, which decides how its content is read, and the content. */
type Memory = Map<string, EchoFilter>;

/** Filters that were used lately, and those before. */
let lately: Partial<Record<LogEvent["type"], Memory>> = {};
let earlier: typeof lately = {};
let size = 0;

function recall(type: LogEvent["type"], content: string): EchoFilter | undefined {
  const known = lately[type]?.get(content);
  if (known) return known;
  const old = earlier[type]?.get(content);
  if (old) remember(type, content, old);
  return old;
}

function remember(type: LogEvent["type"], content: string, beginnings: EchoFilter): void {
  // In characters of two bytes; a word of marks has four bytes, an entry of a map about 512.
  const taken = content.length + marksFor(content) * 2 + 256;
  size += taken;
  if (size > mostRemembered) {
    earlier = lately;
    lately = {};
    size = taken;
  }
  lately[type] ??= new Map();
  lately[type].set(content, beginnings);
}

/** In characters. `earlier` takes as much again. */
const mostRemembered = 4_000_000;
