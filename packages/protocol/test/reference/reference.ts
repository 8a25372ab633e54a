import type { ParseErrorCode, ResultPayload } from "../../src/events.ts";
import type { FinishReason } from "../../src/usage.ts";
import type { Call } from "./block.ts";
import { skipSpace, trim } from "./characters.ts";
import { endsInCode } from "./code.ts";
import { latestRefusal, readJsonBlock } from "./json-block.ts";
import { Cut, Refusal } from "./refusal.ts";
import { readResultsText } from "./results-block.ts";
import { readXmlBlock } from "./xml-block.ts";

export interface ReferenceOptions {
  dialect?: "json" | "xml";
  repair?: boolean;
  results?: "forbid" | "allow";
  startIn?: "text" | "think";
  /** How the generation ended; defaults to `"stop"`. */
  finish?: FinishReason;
}

/** A settled event, without its time. */
export type ReferenceEvent =
  | { type: "think" | "respond"; content: string }
  | { type: "call"; content: string }
  | { type: "execute"; repaired?: true }
  | { type: "result"; content: string; payload: ResultPayload }
  | { type: "end" }
  | { type: "error"; code: ParseErrorCode };

/** Indices of characters, both included; the length of the text stands for the end of input. */
export interface Range {
  first: number;
  last: number;
}

/** The reading of a text that every parser of the protocol must give. */
export interface Reading {
  events: ReferenceEvent[];
  /** The index after the last character that is read, if `</execute>` or `<end>` ended the reading (P5). */
  doneAt?: number;
  error?: {
    /** The characters at which the error may be reported (P6). */
    reported: Range;
    /** The values that its `position` may have. */
    position: Range;
  };
  /** The calls that were announced, also those of a refused block. */
  announced: Call[];
}

/** Reads a whole generation as protocol.md §2 says, slowly. */
export function reference(text: string, options: ReferenceOptions = {}): Reading {
  const reading: Reading = { events: [], announced: [] };
  let at = 0;
  if (options.startIn === "think") {
    // P14: a leading `<think>` is dropped.
    const opener = skipSpace(text, 0);
    at = readThink(text, text.startsWith("<think>", opener) ? opener + "<think>".length : 0, reading);
  }
  while (at < text.length) at = readUnit(text, at, options, reading);
  return reading;
}

/** P11: inside of a think block only its closer has meaning. Returns the index after it. */
function readThink(text: string, from: number, reading: Reading): number {
  const close = text.indexOf("</think>", from);
  const end = close < 0 ? text.length : close;
  addUnit("think", text.slice(from, end), reading);
  return close < 0 ? end : close + "</think>".length;
}

/** P9: units are trimmed, and an empty one is left out. P13: they are well-formed. */
function addUnit(type: "think" | "respond", content: string, reading: Reading): void {
  const trimmed = trim(content);
  if (trimmed !== "") reading.events.push({ type, content: trimmed.toWellFormed() });
}

/**
 * Reads one unit of the reply, the marker that ends it, and the block that the marker opens. Returns the index to go on
 * at.
 */
function readUnit(text: string, from: number, options: ReferenceOptions, reading: Reading): number {
  for (let at = text.indexOf("<", from); at >= 0; at = text.indexOf("<", at + 1)) {
    const marker = markerAt(text, at, options, reading);
    // P10: code is text.
    if (marker === undefined || endsInCode(text.slice(from, at))) continue;
    addUnit("respond", text.slice(from, at), reading);
    return readMarker(text, at, marker, options, reading);
  }
  addUnit("respond", text.slice(from), reading);
  return text.length;
}

type Marker = "<think>" | "</think>" | "<end>" | "<execute>" | "<results>";

const markers: Marker[] = ["<think>", "</think>", "<end>", "<execute>", "<results>"];

/** The marker at `at`, undefined if there is none. Some are markers only after or before certain text. */
function markerAt(text: string, at: number, options: ReferenceOptions, reading: Reading): Marker | undefined {
  const marker = markers.find((candidate) => text.startsWith(candidate, at));
  if (marker === undefined) return undefined;
  const after = text.charAt(skipSpace(text, at + marker.length));
  switch (marker) {
    case "</think>":
      // P14: after the first think unit it is text.
      return reading.events.some((event) => event.type === "think") ? undefined : marker;
    case "<execute>":
      // P12.
      return after !== "" && (options.dialect === "xml" ? "<" : "[{`").includes(after) ? marker : undefined;
    case "<results>":
      // P8.
      return after !== "" && "[{".includes(after) ? marker : undefined;
    default:
      return marker;
  }
}

function readMarker(text: string, at: number, marker: Marker, options: ReferenceOptions, reading: Reading): number {
  const after = at + marker.length;
  switch (marker) {
    case "<think>":
      return readThink(text, after, reading);
    case "</think>":
      return after;
    case "<end>":
      reading.events.push({ type: "end" });
      reading.doneAt = after;
      return text.length;
    case "<execute>":
      readExecute(text, skipSpace(text, after), options, reading);
      return text.length;
    case "<results>":
      return readResults(text, at, skipSpace(text, after), options, reading);
  }
}

/** P7: the calls take effect together, or not at all. */
function readExecute(text: string, from: number, options: ReferenceOptions, reading: Reading): void {
  const readBlock = options.dialect === "xml" ? readXmlBlock : readJsonBlock;
  const atEnd: Range = { first: text.length, last: text.length };
  try {
    const { end, repaired } = readBlock(text, from, options, (call) => {
      // P16.
      if (reading.announced.length === 10_000) throw new Refusal(call.at);
      reading.announced.push(call);
    });
    // P14: stop sequences swallow the closer.
    if (end === undefined && (options.finish ?? "stop") !== "stop") throw new Cut();
    for (const { content } of reading.announced) reading.events.push({ type: "call", content });
    reading.events.push(repaired ? { type: "execute", repaired: true } : { type: "execute" });
    if (end !== undefined) reading.doneAt = end;
  } catch (problem) {
    if (problem instanceof Refusal) {
      const { at, from: wrongFrom, inString } = problem;
      const last = inString ? latestRefusal(text, from, options.repair ?? false, at) : problem.last;
      reading.events.push({ type: "error", code: "malformed_execute" });
      // P2: a trailing high surrogate may be held back.
      const isHeld = /[\ud800-\udbff]/.test(text.charAt(last));
      reading.error = {
        reported: { first: at, last: last + (isHeld ? 1 : 0) },
        position: { first: wrongFrom, last: inString ? last : wrongFrom },
      };
    } else if (problem instanceof Cut) {
      reading.events.push({ type: "error", code: "truncated_execute" });
      reading.error = { reported: atEnd, position: atEnd };
    } else throw problem;
  }
}

/**
 * P8: only the system writes results. In a transcript the block ends at the first `</results>`, because JSON that Cogency
 * writes holds no marker (§4). The block is judged there, or at the end of a text that has no closer. Returns the index to
 * go on at.
 */
function readResults(text: string, marker: number, from: number, options: ReferenceOptions, reading: Reading): number {
  const allows = options.results === "allow";
  const close = text.indexOf("</results>", from);
  const end = close < 0 ? text.length : close + "</results>".length;
  const results = allows && close >= 0 ? readResultsText(text.slice(from, close)) : undefined;
  if (results === undefined) {
    const reported = !allows ? from : close < 0 ? end : end - 1;
    reading.events.push({ type: "error", code: "forged_results" });
    reading.error = { reported: { first: reported, last: reported }, position: { first: marker, last: marker } };
    return text.length;
  }
  const { content, count, successes } = results;
  const payload = { tools_executed: count, success_count: successes, failure_count: count - successes };
  reading.events.push({ type: "result", content, payload });
  return end;
}
