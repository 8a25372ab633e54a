import { Draft } from "./draft.ts";
import { isSettled, nothingOpen, type Open, ofRun, settledBy, withArgs, withText } from "./open.ts";
import type { NoticePart, PartEvent, Parts } from "./part.ts";
import type { Piece, ProgressPiece } from "./piece.ts";
import { reduceParts } from "./reduce-parts.ts";
import { isObject } from "./untrusted.ts";

/**
 * A screen that follows a conversation: the parts of its stored events, and what a run is writing now.
 *
 * INVARIANT: when everything that was open has been stored, `parts` are those of the log (`partsOf`), whatever pieces were lost, doubled
 * or late.
 */
export interface View {
  readonly parts: Parts;
  /** The number of the last stored event; 0 before the first one. */
  readonly seq: number;
  /** The parts of the stored events, with the progress of calls. */
  readonly stored: Parts;
  readonly open: Open;
}

/** A stored event, under its number in the log. */
export type NumberedEvent = PartEvent & { readonly seq: number };

/** The view before the first event. */
export const emptyView: View = { parts: [], seq: 0, stored: [], open: nothingOpen };

/**
 * The view after the next stored event. Events come in the order of their numbers; one that has come already changes nothing. Never
 * throws for values that JSON can hold.
 */
export function withEvent(view: View, event: NumberedEvent): View {
  if (!isObject(event) || typeof event.seq !== "number" || !(event.seq > view.seq)) return view;
  const { seq } = event;
  return shown(view, seq, reduceParts(view.stored, event), settledBy(view.open, event, seq));
}

/**
 * The view with pieces of what a run is writing, in the order in which they came. Those that tell nothing new, that come too late, or
 * before which something is missing are ignored. A piece costs one part and the list of parts. Never throws for values that JSON can hold.
 */
export function withPieces(view: View, pieces: readonly Piece[]): View {
  if (!Array.isArray(pieces)) return view;
  let { stored, open } = view;
  for (const piece of pieces) {
    if (!isPiece(piece) || isSettled(open, piece)) continue;
    const found = ofRun(open, piece);
    if (!found) continue;
    if (found.run !== open.run) stored = withoutProgress(stored);
    open = found;
    if (piece.type === "args") open = withArgs(open, piece);
    else if (piece.type !== "progress") open = withText(open, piece);
    else stored = withProgress(stored, piece);
  }
  return shown(view, view.seq, stored, open);
}

/** Progress belongs to a call that is stored and has not ended, and goes when it ends. */
function withProgress(stored: Parts, { call, update }: ProgressPiece): Parts {
  return reduceParts(stored, { type: "tool_progress", id: call, name: "", update, timestamp: 0 });
}

/** The parts without the progress that a run told which is over. */
function withoutProgress(stored: Parts): Parts {
  const draft = new Draft(stored);
  for (const { call, at } of draft.openCalls()) {
    const { progress, ...rest } = call;
    if (progress !== undefined) draft.replace(at, 1, rest);
  }
  return draft.parts;
}

/** The view with what is open behind what is stored: a unit stands before the calls that are announced, as it will in the log. */
function shown(before: View, seq: number, stored: Parts, open: Open): View {
  if (seq === before.seq && stored === before.stored && open === before.open) return before;
  const { unit, calls } = open;
  const isSame = stored === before.stored && unit === before.open.unit && calls === before.open.calls;
  if (isSame) return { ...before, seq, open };
  if (!unit && calls.length === 0) return { seq, stored, open, parts: stored };
  const parts = [...stored, ...(unit ? [unit.part] : []), ...calls.map(({ part }) => part)];
  const last = stored.at(-1);
  if (last?.type === "notice" && last.open) parts[stored.length - 1] = overNotice(last, stored.length - 1, before);
  return { seq, stored, open, parts };
}

/** What the notice told of has passed: the conversation goes on. */
function overNotice(notice: NoticePart, at: number, { stored, parts }: View): NoticePart {
  const { code, message } = notice;
  const shown = parts[at];
  const isKnown = stored[at] === notice && shown?.type === "notice" && shown !== notice;
  return isKnown ? shown : { type: "notice", code, message };
}

/** Whether the fields are of the types that they have in a piece. */
function isPiece(piece: Piece): boolean {
  if (!isObject(piece) || typeof piece.run !== "string" || typeof piece.seq !== "number") return false;
  if (piece.type === "progress") return piece.update !== undefined;
  if (piece.type === "args" && typeof piece.call !== "string") return false;
  const isKnown = piece.type === "args" || piece.type === "text" || piece.type === "thinking";
  const isPlaced = typeof piece.unit === "number" && typeof piece.offset === "number" && piece.offset >= 0;
  return isKnown && isPlaced && typeof piece.text === "string";
}
