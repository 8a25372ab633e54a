import type { AgentEvent, ErrorEvent } from "../src/events.ts";
import { createParser, type ParserEvent, type ParserOptions } from "../src/parse/parser.ts";
import { settle } from "../src/parse/settle.ts";
import { families, generate, type Input } from "./generate.ts";
import { heldDifference } from "./held.ts";
import { type Range, type Reading, type ReferenceOptions, reference } from "./reference/reference.ts";

/** Slow checks are made for some inputs only, and not for long texts. */
const costs = {
  unitByUnit: { oneIn: 3, longest: 2000 },
  held: { oneIn: 12, longest: 150 },
};

/**
 * Checks the parser with the input of this seed. Returns a full description of the difference, undefined if there is
 * none.
 */
export function check(seed: number): string | undefined {
  const input = generate(seed);
  const difference = differenceOf(input);
  if (difference === undefined) return undefined;
  const shrunk = shrink(input);
  return [
    `seed ${seed}: ${difference}`,
    `options   ${JSON.stringify({ ...input.options, callDeltas: input.callDeltas })}`,
    `text      ${JSON.stringify(input.text)}`,
    `shrunk    ${JSON.stringify(shrunk.text)}: ${differenceOf(shrunk)}`,
    `reference ${JSON.stringify(reference(shrunk.text, shrunk.options))}`,
    `parser    ${JSON.stringify(run(shrunk, [shrunk.text]).settled)}`,
  ].join("\n");
}

/** The same for one text, with all checks. */
export function checkText(text: string, options: ReferenceOptions): string | undefined {
  const input = { seed: 0, text, chunks: cutAlike(["abc"], text), options };
  return firstOf([false, true].map((callDeltas) => differenceOf({ ...input, callDeltas })));
}

/** The difference between the parser and the reference for `input`, undefined if there is none. */
function differenceOf(input: Input): string | undefined {
  const { text, chunks, seed } = input;
  try {
    const reading = reference(text, input.options);
    const whole = run(input, [text]);
    const isDone = ({ oneIn, longest }: { oneIn: number; longest: number }) =>
      Math.floor(seed / families.length) % oneIn === 0 && text.length <= longest;
    const runs = [whole, run(input, chunks), ...(isDone(costs.unitByUnit) ? [run(input, text.split(""))] : [])];
    const identical = JSON.stringify(whole.settled);
    for (const { settled } of runs) {
      // P1: also the position and the message of an error.
      if (JSON.stringify(settled) !== identical) return `P1: depends on the cuts: ${JSON.stringify(settled)}`;
    }
    return firstOf([
      eventsDifference(whole.settled, reading),
      ...runs.map((each) => ignoredDifference(each, text, reading)),
      ...runs.map((each) => eventDifference(each, reading)),
      ...runs.map((each) => announcedDifference(each, reading)),
      ...runs.map((each) => deltasDifference(each, reading, input.callDeltas)),
      isDone(costs.held) ? heldDifference(input) : undefined,
    ]);
  } catch (error) {
    return `P4: ${error instanceof Error ? error.stack : String(error)}`;
  }
}

interface Run {
  settled: WithoutTime[];
  /** All events, each with the index of the last character written so far; at the end, the length of the text. */
  events: { event: ParserEvent; from: number; at: number }[];
  isDone: boolean;
  ignored: number;
}

type WithoutTime = Omit<AgentEvent, "timestamp"> & { type: AgentEvent["type"] };

function run(input: Input, chunks: readonly string[]): Run {
  const { finish, ...options } = input.options;
  const parser = createParser({ ...options, callDeltas: input.callDeltas, clock: () => 1 } satisfies ParserOptions);
  const events: Run["events"] = [];
  let from = 0;
  for (const chunk of chunks) {
    const at = from + chunk.length - 1;
    for (const event of parser.write(chunk)) events.push({ event, from, at });
    from += chunk.length;
  }
  const isDone = parser.done;
  for (const event of parser.end(finish)) events.push({ event, from, at: from });
  const settled = [...settle(events.map(({ event }) => event))].map(({ timestamp: _, ...event }) => event);
  return { settled, events, isDone, ignored: parser.ignored };
}

function eventsDifference(settled: WithoutTime[], reading: Reading): string | undefined {
  const { events, error } = reading;
  for (let i = 0; i < Math.max(settled.length, events.length); i++) {
    const [event, expected] = [settled[i], events[i]];
    if (!event || !expected) return `event ${i} is ${named(event)}, not ${named(expected)}`;
    const isSame = expected.type === "error" ? isSameError(event, expected) : canonical(event) === canonical(expected);
    if (!isSame) return `event ${i} is ${named(event)}, not ${named(expected)}`;
    if (expected.type !== "error") continue;
    const { position, content } = event as ErrorEvent;
    if (!content.isWellFormed()) return "P13: the error's message is not well-formed";
    if (error && !isIn(error.position, position ?? -1))
      return `position ${position} is not ${rangeText(error.position)}`;
  }
  return undefined;
}

function named(event: { type: string; code?: string } | undefined): string {
  return event ? (event.code ?? `this ${event.type}`) : "missing";
}

function isSameError(event: WithoutTime, expected: { code: string }): boolean {
  return event.type === "error" && (event as ErrorEvent).code === expected.code;
}

function canonical(event: object): string {
  return JSON.stringify(Object.entries(event).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** P5: text after `</execute>`, `<end>` or the error is ignored. */
function ignoredDifference({ isDone, ignored }: Run, text: string, { doneAt, error }: Reading): string | undefined {
  if (doneAt !== undefined) {
    if (!isDone) return "P5: the parser is not done";
    return ignored === text.length - doneAt
      ? undefined
      : `P5: ${ignored} units are ignored, not ${text.length - doneAt}`;
  }
  if (error === undefined || !isDone) {
    if (isDone) return "P5: the parser is done too early";
    return ignored === 0 ? undefined : `P5: ${ignored} units are ignored before the end`;
  }
  // The character at which an error is reported may count as read or as ignored.
  const range = { first: Math.max(0, text.length - error.reported.last - 1), last: text.length - error.reported.first };
  return isIn(range, ignored) ? undefined : `P5: ${ignored} units are ignored, not ${rangeText(range)}`;
}

/**
 * P4, P6: an error is reported at the character that makes it certain; one in a string at the latest when its call
 * closes.
 */
function eventDifference({ events }: Run, { error }: Reading): string | undefined {
  const found = events.find(({ event }) => event.type === "error");
  if (!found || !error) return undefined;
  const isInTime = found.at >= error.reported.first && found.from <= error.reported.last;
  return isInTime
    ? undefined
    : `P6: reported at ${rangeText({ first: found.from, last: found.at })}, not ${rangeText(error.reported)}`;
}

/** Calls are announced with the character that completes them. */
function announcedDifference({ events }: Run, { announced }: Reading): string | undefined {
  const calls = events.filter(({ event }) => event.type === "call");
  if (calls.length !== announced.length) return `${calls.length} calls are announced, not ${announced.length}`;
  const late = calls.findIndex(({ from, at }, i) => !isIn({ first: from, last: at }, announced[i]?.at ?? -1));
  return late < 0 ? undefined : `call ${late} is not announced with character ${announced[late]?.at}`;
}

/** §3, `callDeltas`: the raw text of a call's arguments, and its name, as it is written, once it is known. */
function deltasDifference({ events }: Run, { announced }: Reading, isOn: boolean): string | undefined {
  const deltas = events.map(({ event }) => event).filter((event) => event.type === "call_delta");
  if (!isOn) return deltas.length === 0 ? undefined : "there are call deltas";
  for (const [i, { raw, rawName, isNamedFirst }] of announced.entries()) {
    const name = rawName.toWellFormed();
    const own = deltas.filter((delta) => delta.index === i);
    const joined = own.map((delta) => delta.content).join("");
    if (joined !== raw.toWellFormed()) return `the deltas of call ${i} are ${JSON.stringify(joined)}`;
    const hasRightName = own.every((delta) => delta.name === name || (delta.name === undefined && !isNamedFirst));
    if (!hasRightName) return `a delta of call ${i} has the wrong name`;
  }
  const last = announced.length;
  return deltas.every(({ index }) => index >= 0 && index <= last) ? undefined : "a delta belongs to no call";
}

function isIn({ first, last }: Range, index: number): boolean {
  return index >= first && index <= last;
}

function rangeText({ first, last }: Range): string {
  return first === last ? `${first}` : `${first} to ${last}`;
}

function firstOf(differences: (string | undefined)[]): string | undefined {
  return differences.find((difference) => difference !== undefined);
}

/** Shortens the input while the kind of difference stays the same: leaves out pieces, large ones first. */
function shrink(input: Input): Input {
  const kind = kindOf(input);
  let shrunk = input;
  for (let size = input.text.length >> 1; size > 0; ) {
    const shorter = withoutOnePiece(shrunk, size, kind);
    if (shorter) shrunk = shorter;
    else size >>= 1;
  }
  return shrunk;
}

function withoutOnePiece(input: Input, size: number, kind: string | undefined): Input | undefined {
  const { text } = input;
  for (let at = 0; at < text.length; at += Math.max(1, size >> 1)) {
    const shorter = text.slice(0, at) + text.slice(at + size);
    // Seed 0 means all checks.
    const candidate = { ...input, seed: 0, text: shorter, chunks: cutAlike(input.chunks, shorter) };
    if (kindOf(candidate) === kind) return candidate;
  }
  return undefined;
}

/** The kind of a difference: without offsets and without the texts of events and exceptions. */
function kindOf(input: Input): string | undefined {
  return differenceOf(input)
    ?.split(/\n|: [[{"]/, 1)[0]
    ?.replaceAll(/\d+/g, "");
}

function cutAlike(chunks: readonly string[], text: string): string[] {
  const longest = Math.max(1, ...chunks.map((chunk) => chunk.length));
  return text.match(new RegExp(`.{1,${longest}}`, "gs")) ?? [];
}
