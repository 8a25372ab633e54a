import type { Json, JsonObject } from "../json.ts";
import { parseResults } from "../results.ts";
import { fieldsOf, type NumberedEvent, textOr } from "./numbered-event.ts";
import { SharedPiece } from "./shared-piece.ts";

/** Where the text of an argument stood before the call was made. */
export interface ArgumentOrigin {
  /** The argument, such as `file` or `edits[0].old`. */
  readonly path: string;
  /** What the earlier text has of it. */
  readonly piece: string;
  /** Whether that is the whole argument. */
  readonly isWhole: boolean;
  /** The number of the earliest event that has it. */
  readonly seq: number;
  /** Who wrote that text. */
  readonly by: TextSource;
}

/** `system`: the system prompt. `runtime`: a notice. `untrusted`: text of a prompt that no person vouched for. */
export interface TextSource {
  readonly who: "person" | "model" | "tool" | "system" | "runtime" | "untrusted" | "summary";
  /** Of a tool. */
  readonly tool?: string;
  /** What the call of that tool may have brought: `untrusted` text that no person vouched for, or `private` text. */
  readonly holds: readonly string[];
}

/** Shorter strings say too little about where they come from. */
const shortest = 8;
/** Of a piece of an argument. */
const shortestPiece = 12;
/** Only so much is compared, the longest strings first: the work must stay linear in the log. */
const mostStrings = 16;
const mostCharacters = 4000;

/**
 * For each string of at least 8 characters in the arguments, the earliest earlier text that contains it, else the earliest that has its
 * longest piece of at least 12 characters. At most 16 strings are looked for, and 4,000 characters of each.
 *
 * @param earlier the log before the call
 */
export function argumentOrigins(args: JsonObject, earlier: readonly NumberedEvent[]): ArgumentOrigin[] {
  const strings = [...stringsIn(args, "")]
    .filter(({ text }) => text.length >= shortest)
    .sort((one, other) => other.text.length - one.text.length)
    .slice(0, mostStrings)
    .map(({ path, text }): Wanted => ({ path, text: text.slice(0, mostCharacters), piece: "" }));
  if (strings.length === 0) return [];
  const grams = new Set(strings.flatMap(({ text }) => gramsOf(text, 1)));
  const holds = heldByCalls(earlier);
  for (const event of earlier) {
    for (const { text, call, ...source } of textsOf(event)) {
      const by: TextSource = { ...source, holds: (call && holds.get(call)) || [] };
      const mayShare = gramsOf(text, stride).some((gram) => grams.has(gram));
      for (const wanted of strings) find(wanted, text, mayShare, event.seq, by);
    }
  }
  return strings.flatMap(({ path, text, piece, at }) =>
    at ? [{ path, piece, isWhole: piece === text, seq: at.seq, by: at.by }] : [],
  );
}

interface Wanted {
  readonly path: string;
  readonly text: string;
  piece: string;
  at?: { readonly seq: number; readonly by: TextSource };
  automaton?: SharedPiece;
}

function find(wanted: Wanted, text: string, mayShare: boolean, seq: number, by: TextSource): void {
  if (wanted.piece === wanted.text) return;
  if (text.includes(wanted.text)) {
    wanted.piece = wanted.text;
    wanted.at = { seq, by };
    return;
  }
  if (!mayShare || wanted.text.length < shortestPiece) return;
  wanted.automaton ??= new SharedPiece(wanted.text);
  const piece = wanted.automaton.longestIn(text);
  if (piece.length < shortestPiece || piece.length <= wanted.piece.length) return;
  wanted.piece = piece;
  wanted.at = { seq, by };
}

/** Each shared piece of 12 characters holds a whole gram of 8 that begins at a multiple of 5. */
const gram = 8;
const stride = 5;

function gramsOf(text: string, step: number): string[] {
  const grams: string[] = [];
  for (let at = 0; at + gram <= text.length; at += step) grams.push(text.slice(at, at + gram));
  return grams;
}

function* stringsIn(value: Json, path: string): Generator<{ path: string; text: string }> {
  if (typeof value === "string") yield { path, text: value };
  else if (Array.isArray(value)) for (const [i, one] of value.entries()) yield* stringsIn(one, `${path}[${i}]`);
  else if (typeof value === "object" && value !== null)
    for (const [name, one] of Object.entries(value))
      yield* stringsIn(one as Json, path === "" ? name : `${path}.${name}`);
}

interface SourcedText extends Omit<TextSource, "holds"> {
  readonly text: string;
  /** The id of the call that returned it. */
  readonly call?: string;
}

/** The texts of an event that a model may have read before it made a call. */
function textsOf(event: NumberedEvent): SourcedText[] {
  switch (event.type) {
    case "user":
      return [{ who: speaker(event.origin), text: String(event.content) }];
    case "think":
    case "respond":
      return [{ who: "model", text: String(event.content) }];
    case "call":
      return [{ who: "model", text: decoded(event.content) }];
    case "result":
      return (parseResults(String(event.content)) ?? []).map(({ tool, content }, i) => {
        const call = textOr(event.ids?.[i]);
        return { who: "tool", tool, text: joined(content), ...(call !== undefined && { call }) };
      });
    case "record": {
      const { system, text } = fieldsOf(event.data);
      if (event.kind === "request" && typeof system === "string") return [{ who: "system", text: system }];
      if (event.kind === "summary" && typeof text === "string") return [{ who: "summary", text }];
      return [];
    }
    default:
      return [];
  }
}

function speaker(origin: string | undefined): TextSource["who"] {
  if (origin === undefined) return "person";
  return origin === "untrusted" ? "untrusted" : "runtime";
}

function decoded(json: string): string {
  try {
    return joined(JSON.parse(json) as Json);
  } catch {
    return String(json);
  }
}

/** The strings in a value, a line each. */
function joined(value: Json): string {
  return [...stringsIn(value, "")].map(({ text }) => text).join("\n");
}

/** What calls have brought, by their ids. */
function heldByCalls(log: readonly NumberedEvent[]): ReadonlyMap<string, string[]> {
  const held = new Map<string, string[]>();
  const add = (call: unknown, kind: unknown) => {
    if (typeof call !== "string" || typeof kind !== "string") return;
    const known = held.get(call) ?? [];
    if (!known.includes(kind)) held.set(call, [...known, kind]);
  };
  for (const event of log) {
    if (event.type !== "record") continue;
    const data = fieldsOf(event.data);
    if (event.kind === "content") add(data.call, data.holds);
    if (event.kind === "started" && Array.isArray(data.brings))
      for (const one of data.brings) add(data.id, fieldsOf(one).holds);
  }
  return held;
}
