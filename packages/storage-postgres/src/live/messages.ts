import type { Piece } from "@cogency/protocol/parts";
import { longestText } from "./seals.ts";
import { splitPieces } from "./split-pieces.ts";

/** What those who follow a conversation hear. */
export type RoomMessage =
  /** A store begins to publish, and does not know who follows. */
  { from: string; who: true } | { from: string; pieces: Piece[] };

/** What those who publish hear of a store that follows. Conversations have the `id` of their seal. */
export interface JoinsMessage {
  from: string;
  /** It begins to follow them, or has lost pieces of them. */
  asks: string[];
  /** It follows them still. */
  follows: string[];
  leaves: string[];
}

export function whoMessage(from: string): string {
  return JSON.stringify({ from, who: true });
}

/** As many messages as the pieces take. */
export function piecesMessages(from: string, pieces: readonly Piece[]): string[] {
  return splitPieces(pieces, longestText - around).map((array) => `{"from":"${from}","pieces":${array}}`);
}

export function joinsMessages(from: string, kind: "asks" | "follows" | "leaves", ids: readonly string[]): string[] {
  return Array.from({ length: Math.ceil(ids.length / mostIds) }, (_, index) =>
    JSON.stringify({ from, [kind]: ids.slice(index * mostIds, (index + 1) * mostIds) }),
  );
}

/** Returns undefined for what is no message. Leaves out pieces that are none, or that a later version has. */
export function readRoomMessage(text: string): RoomMessage | undefined {
  const message = readObject(text);
  if (typeof message?.from !== "string") return undefined;
  const { from, who, pieces } = message;
  if (who === true) return { from, who };
  return Array.isArray(pieces) ? { from, pieces: pieces.filter(isPiece) } : undefined;
}

export function readJoinsMessage(text: string): JoinsMessage | undefined {
  const message = readObject(text);
  if (typeof message?.from !== "string") return undefined;
  const { from, asks, follows, leaves } = message;
  return { from, asks: textsOf(asks), follows: textsOf(follows), leaves: textsOf(leaves) };
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isPiece(value: unknown): value is Piece {
  if (!isObject(value) || typeof value.run !== "string" || !isCount(value.seq)) return false;
  const { type, unit, offset, text, call, name, update } = value;
  if (type === "progress") return typeof call === "string" && update !== undefined;
  if (!isCount(unit) || !isCount(offset) || typeof text !== "string") return false;
  if (type === "args") return typeof call === "string" && (name === undefined || typeof name === "string");
  return type === "text" || type === "thinking";
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** Bytes of a message beside its pieces. */
const around = 60;
/** So many ids of 22 characters fit into one message. */
const mostIds = 200;
