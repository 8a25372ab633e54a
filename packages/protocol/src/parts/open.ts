import type { CallPart, PartEvent, TextPart, ThinkingPart } from "./part.ts";
import type { ArgsPiece, Piece, TextPiece } from "./piece.ts";
import { textOf } from "./untrusted.ts";

/** What a run is writing, as its pieces have told so far. Nothing of it is stored. */
export interface Open {
  /** The run. Empty before the first piece. */
  readonly run: string;
  /** Runs before it that had come equally far in the log. What still comes of them is late. */
  readonly past: readonly string[];
  /** The highest `seq` of a piece of the run. */
  readonly seq: number;
  readonly unit?: OpenUnit<TextPart | ThinkingPart> | undefined;
  /** The calls of the block that is being written, in order. */
  readonly calls: readonly OpenUnit<CallPart>[];
  /** The number of the last stored event that settled units, and of the last one that settled calls. */
  readonly settled: { readonly units: number; readonly calls: number };
}

interface OpenUnit<P> {
  readonly unit: number;
  /** The highest `seq` of its pieces. */
  readonly seq: number;
  readonly part: P;
}

export const nothingOpen: Open = { run: "", past: [], seq: 0, calls: [], settled: { units: 0, calls: 0 } };

/** What is still open after a stored event. */
export function settledBy(open: Open, event: PartEvent, seq: number): Open {
  const { type } = event;
  const settlesCalls = callEnds.has(type) || (type === "record" && recordEnds.has(event.kind));
  if (!settlesCalls && type !== "think" && type !== "respond") return open;
  const { unit, calls, settled } = open;
  return {
    ...open,
    unit: unit && unit.seq < seq ? undefined : unit,
    calls: settlesCalls ? calls.filter((call) => call.seq >= seq) : calls,
    settled: { units: seq, calls: settlesCalls ? seq : settled.calls },
  };
}

const callEnds: ReadonlySet<string> = new Set(["call", "execute", "result", "user", "error", "end", "cancelled"]);
// Usage ends each step, also one whose answer broke off. A notice is stored after a run has failed.
const recordEnds: ReadonlySet<string> = new Set(["rejected", "usage", "run", "notice"]);

/** Whether what a piece is part of has been stored, or given up, since the piece was sent. */
export function isSettled({ settled }: Open, { type, seq }: Piece): boolean {
  return type !== "progress" && seq < (type === "args" ? settled.calls : settled.units);
}

/** The state to which a piece of this run belongs: a new one if another run has begun. Undefined if the run is over. */
export function ofRun(open: Open, { run, seq }: Piece): Open | undefined {
  if (run === open.run) return seq > open.seq ? { ...open, seq } : open;
  const isEqual = seq === open.seq;
  if (seq < open.seq || (isEqual && open.past.includes(run))) return undefined;
  const past = isEqual ? [...open.past, open.run].slice(-mostPast) : [];
  return { ...nothingOpen, run, past, seq, settled: open.settled };
}

const mostPast = 8;

/** The state with a piece of the open unit, or of the next one. */
export function withText(open: Open, piece: TextPiece): Open {
  const { type, unit } = piece;
  const known = open.unit?.unit === unit && open.unit.part.type === type ? open.unit : undefined;
  if (!known && open.unit && open.unit.unit >= unit) return open;
  const content = joined(known?.part.content, piece);
  if (!content) return open;
  return { ...open, unit: { unit, seq: seqOf(piece, known), part: { type, content, open: true, unit } } };
}

/** The state with a piece of the arguments of a call. */
export function withArgs(open: Open, piece: ArgsPiece): Open {
  const { unit, call: id, name } = piece;
  const known = open.calls.find((call) => call.unit === unit);
  const text = joined(known?.part.text, piece);
  if (text === undefined || (known && known.part.id !== id)) return open;
  const named = textOf(name) || known?.part.name || "";
  const part: CallPart = { type: "call", id, name: named, text, state: "writing", announced: true, open: true };
  const after = open.calls.filter((call) => call.unit > unit);
  const before = open.calls.filter((call) => call.unit < unit);
  return { ...open, calls: [...before, { unit, seq: seqOf(piece, known), part }, ...after] };
}

function seqOf({ seq }: Piece, known: OpenUnit<unknown> | undefined): number {
  return Math.max(seq, known?.seq ?? 0);
}

/** The text so far with a piece of it. Undefined if the piece tells nothing new, or if what stands before it is missing. */
function joined(text: string | undefined, { offset, text: piece }: TextPiece | ArgsPiece): string | undefined {
  if (text === undefined) return offset === 0 ? piece : undefined;
  // What both have is the same text.
  const isNew = offset <= text.length && offset + piece.length > text.length;
  return isNew ? text + piece.slice(text.length - offset) : undefined;
}
