import { sourceText } from "@cogency/provider/http";

/**
 * The arguments of a call as they arrive. Most servers send pieces; some repeat with every piece all pieces before it; a
 * few send the whole again at the end. In the middle of a call these cannot be told apart: after `{"a":`, a piece
 * `{"a":1}` is either the whole or a value inside it. So both readings are kept once they differ, and the end decides: the
 * joined pieces if they are JSON, else the latest text.
 */
export interface CallArguments {
  /** All pieces, joined. Undefined once this text is too long to be the arguments. */
  readonly joined: string | undefined;
  /** As `joined`, but a piece that begins with the whole text before it replaces that text. */
  readonly latest: string;
  /** The server sent an object instead of text: nothing can be added to it. */
  readonly isWhole: boolean;
}

export const noArguments: CallArguments = { joined: "", latest: "", isWhole: false };

/** Adds one piece, and returns the arguments and the text that is new, for display. */
export function addArguments(before: CallArguments, piece: unknown): [CallArguments, string] {
  if (piece === undefined || piece === null || piece === "") return [before, ""];
  if (typeof piece !== "string") {
    const text = typeof piece === "object" ? sourceText(piece) : JSON.stringify(piece);
    return [{ joined: text, latest: text, isWhole: true }, text === before.latest ? "" : text];
  }
  // Some servers begin with an empty object and then send the text.
  if (before.isWhole) return [{ joined: piece, latest: piece, isWhole: false }, piece];

  const { joined, latest } = before;
  const grown = joined === undefined ? undefined : joined + piece;
  // The lengths are compared first: reading a text that was joined from pieces costs its length each time.
  if (latest === "" || piece.length < latest.length || !piece.startsWith(latest)) {
    const next = joined === latest ? grown : latest + piece;
    return [{ joined: grown, latest: next ?? latest + piece, isWhole: false }, piece];
  }
  const kept = grown !== undefined && grown.length <= longestJoined ? grown : undefined;
  return [{ joined: kept, latest: piece, isWhole: false }, piece.slice(latest.length)];
}

/** Where every piece is a whole, the joined text grows with the square of the number of pieces. */
const longestJoined = 2 ** 24;

/** The joined pieces if they are JSON, else the latest text. */
export function argumentsText({ joined, latest }: CallArguments): string {
  return joined !== undefined && joined !== latest && isJSON(joined) ? joined : latest;
}

/** Whether a piece is empty, repeats the text so far, or replaces the empty object that some servers begin with. */
export function addsNothing({ latest }: CallArguments, piece: unknown): boolean {
  return piece === "" || latest === "{}" || latest === (typeof piece === "string" ? piece : JSON.stringify(piece));
}

/** Whether a piece can continue these arguments instead of beginning others. */
export function canGrow(call: CallArguments, piece: unknown): boolean {
  // Checked first, because parsing the arguments costs their length.
  const isBeginning = typeof piece !== "string" || piece === "" || /^\s*\{/.test(piece);
  return !isBeginning || !areComplete(call);
}

/** Whether the arguments are complete, so that nothing can follow. */
export function areComplete(call: CallArguments): boolean {
  return call.isWhole || isJSON(argumentsText(call));
}

function isJSON(text: string): boolean {
  // Arguments are an object, so that the last character rules most other texts out.
  if (!/[}\]\s]$/.test(text.slice(-1))) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
