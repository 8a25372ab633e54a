import { type EditFailure, ToolboxError } from "../../errors.ts";
import { largestText } from "../text/text-file.ts";
import { occurrences } from "./occurrences.ts";
import { type Span, spansAfter } from "./spans.ts";

export interface Edit {
  old: string;
  new: string;
  /** Replace every occurrence instead of the only one. */
  all?: boolean | undefined;
}

export interface Applied {
  text: string;
  /** The number of replaced places. */
  replaced: number;
  /** The places of the new text, as offsets into `text`, in the order of the edits. */
  spans: readonly Span[];
  /** The edits that cannot be applied; all others are applied in `text`. */
  failures: readonly FailedEdit[];
}

export interface FailedEdit extends EditFailure {
  /** The text that was searched, with the line ends of the file. */
  old: string;
  /** The text of the file at that edit. */
  text: string;
  /** There are more places than `lines` names. */
  hasMore: boolean;
}

/**
 * Applies edits one after another, each to the text that the edits before it left. `old` must occur exactly once, or at least
 * once with `all`. If all lines of the text end in CRLF, the line ends of `old` and `new` become CRLF too.
 *
 * @param asked the path for the error
 * @throws ToolboxError `too_large` if the text would grow beyond 4 Mi characters
 */
export function applyEdits(text: string, edits: readonly Edit[], asked = ""): Applied {
  const adapted = hasOnlyCrlf(text) ? toCrlf : asItIs;
  let current = text;
  let replaced = 0;
  let spans: readonly Span[] = [];
  const failures: FailedEdit[] = [];
  for (const [index, edit] of edits.entries()) {
    const old = adapted(edit.old);
    const replacement = adapted(edit.new);
    const places = placesOf(current, old, edit.all === true);
    const reason = reasonAgainst(old, replacement, places, edit.all === true);
    if (reason !== undefined) {
      const lines = linesOf(current, places.slice(0, mostNamed));
      failures.push({ edit: index + 1, reason, lines, old, text: current, hasMore: places.length > mostNamed });
      continue;
    }
    if (current.length + places.length * (replacement.length - old.length) > largestResult)
      throw tooLarge(asked, index + 1);
    const result = replaceAt(current, places, old.length, replacement);
    spans = spansAfter(spans, places, old.length, replacement.length);
    replaced += places.length;
    current = result;
  }
  return { text: current, replaced, spans, failures };
}

const mostNamed = 20;

// A few short edits, each applied to the result of the one before, could otherwise fill the memory.
const largestResult = 4 * largestText;

function tooLarge(asked: string, edit: number): ToolboxError {
  const problem = `Edit ${edit} would make "${asked}" grow over 4 MiB, so nothing was written.`;
  return new ToolboxError("too_large", asked, `${problem} Look at its "old" and "new" once more.`);
}

function hasOnlyCrlf(text: string): boolean {
  return text.includes("\r\n") && !/(?<!\r)\n/.test(text);
}

function toCrlf(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}

function asItIs(text: string): string {
  return text;
}

/** The places of `old`: all of them with `all`, else at most one more than an error names. */
function placesOf(text: string, old: string, all: boolean): number[] {
  const places: number[] = [];
  // Overlapping occurrences make an edit ambiguous. Only with `all` are they skipped.
  for (const place of occurrences(text, old, all ? old.length : 1)) {
    places.push(place);
    if (!all && places.length > mostNamed) break;
  }
  return places;
}

function reasonAgainst(
  old: string,
  replacement: string,
  places: readonly number[],
  all: boolean,
): EditFailure["reason"] | undefined {
  if (places.length === 0) return "not_found";
  if (old === replacement) return "no_change";
  return places.length > 1 && !all ? "ambiguous" : undefined;
}

function linesOf(text: string, places: readonly number[]): number[] {
  const lines: number[] = [];
  let line = 1;
  let reached = 0;
  for (const place of places) {
    for (const _ of occurrences(text.slice(reached, place), "\n", 1)) line += 1;
    reached = place;
    lines.push(line);
  }
  return lines;
}

function replaceAt(text: string, places: readonly number[], length: number, replacement: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const place of places) {
    parts.push(text.slice(from, place), replacement);
    from = place + length;
  }
  parts.push(text.slice(from));
  return parts.join("");
}
