import type { Json } from "../json.ts";

/**
 * A piece of what a run is writing, on its way to a screen. No log holds it, and it may be lost: what has settled is stored, and the
 * stored event replaces all pieces of it.
 */
export type Piece = TextPiece | ArgsPiece | ProgressPiece;

interface Place {
  /** The run: the `id` of its `RunPlace`. */
  readonly run: string;
  /**
   * The last sequence number that the log had when the piece was sent; 0 for an empty log. What the piece belongs to was not stored by
   * then: a stored event with a higher number that ends such things ends this one.
   */
  readonly seq: number;
}

/** Part of a unit of the reply, or of reasoning. */
export interface TextPiece extends Place {
  readonly type: "text" | "thinking";
  /** Counts the units of the run from 1, those of arguments too. Later units have higher numbers. */
  readonly unit: number;
  /** How much of the unit stands before the piece, in UTF-16 units. A piece with 0 may repeat all of the unit so far. */
  readonly offset: number;
  readonly text: string;
}

/** Part of the arguments of a call, as the model writes them. */
export interface ArgsPiece extends Place {
  readonly type: "args";
  readonly unit: number;
  readonly offset: number;
  readonly text: string;
  /** The id that the call will have. */
  readonly call: string;
  /** Absent until it is known. */
  readonly name?: string;
}

/** What a call that runs says of its progress. The latest one counts. */
export interface ProgressPiece extends Place {
  readonly type: "progress";
  /** The id of the call. */
  readonly call: string;
  readonly update: Json;
}
