import { type EditFailure, ToolboxError } from "../../errors.ts";
import { asWritten, differInLineEnds, lineEndsOf } from "../text/line-ends.ts";
import { largestText } from "../text/text-file.ts";
import { compileSearch } from "../text/text-search.ts";
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
  let current = text;
  let replaced = 0;
  let spans: readonly Span[] = [];
  const failures: FailedEdit[] = [];
  for (const [index, { old, new: written, all = false }] of edits.entries()) {
    const places = placesOf(current, old, all);
    // Looking for the line ends of a text reads all of it.
    const isAsWritten = places.length === 0 || !written.includes("\n") || differInLineEnds(old, written);
    const adaptedAt = isAsWritten ? () => asWritten : lineEndsOf(current);
    const changes = places.map((place) => ({ ...place, text: adaptedAt(place)(written) }));
    const reason = reasonAgainst(current, changes, all);
    if (reason !== undefined) {
      const lines = linesOf(current, places.slice(0, mostNamed));
      failures.push({ edit: index + 1, reason, lines, old, text: current, hasMore: places.length > mostNamed });
      continue;
    }
    const growth = changes.reduce((sum, change) => sum + change.text.length - (change.end - change.start), 0);
    if (current.length + growth > largestResult) throw tooLarge(asked, index + 1);
    spans = spansAfter(
      spans,
      changes.map((change) => ({ ...change, newLength: change.text.length })),
    );
    replaced += changes.length;
    current = replacedIn(current, changes);
  }
  return { text: current, replaced, spans, failures };
}

interface Changed extends Span {
  text: string;
}

const mostNamed = 20;

// A few short edits, each applied to the result of the one before, could otherwise fill the memory.
const largestResult = 4 * largestText;

function tooLarge(asked: string, edit: number): ToolboxError {
  const problem = `Edit ${edit} would make "${asked}" grow over 4 MiB, so nothing was written.`;
  return new ToolboxError("too_large", asked, `${problem} Look at its "old" and "new" once more.`);
}

/** The places of `old`: all of them with `all`, else at most one more than an error names. */
function placesOf(text: string, old: string, all: boolean): Span[] {
  const places: Span[] = [];
  const next = compileSearch({ text: old }).in(text);
  // Overlapping occurrences make an edit ambiguous. Only with `all` are they skipped.
  for (let place = next(0); place !== undefined; place = next(all ? place.end : place.start + 1)) {
    places.push({ start: place.start, end: place.end });
    if (!all && places.length > mostNamed) break;
  }
  return places;
}

function reasonAgainst(text: string, changes: readonly Changed[], all: boolean): EditFailure["reason"] | undefined {
  if (changes.length === 0) return "not_found";
  if (changes.every((change) => text.slice(change.start, change.end) === change.text)) return "no_change";
  return changes.length > 1 && !all ? "ambiguous" : undefined;
}

function linesOf(text: string, places: readonly Span[]): number[] {
  const lines: number[] = [];
  let line = 1;
  let reached = 0;
  for (const place of places) {
    line += text.slice(reached, place.start).split("\n").length - 1;
    reached = place.start;
    lines.push(line);
  }
  return lines;
}

function replacedIn(text: string, changes: readonly Changed[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const change of changes) {
    parts.push(text.slice(from, change.start), change.text);
    from = change.end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}
