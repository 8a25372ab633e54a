/**
 * The arguments of a call as they arrive. Most servers send pieces, some send with every piece all that was before it
 * once more, and a few give the whole at the end again. Seen from the middle, the two cannot be told apart: after
 * `{"a":` a piece `{"a":1}` is either all of it or a value inside. So both readings are kept once they differ, and the
 * end decides: pieces, if put together they are JSON; else what was sent last.
 */
export interface CallArguments {
  /** Every piece put together. Undefined once a server has sent so much of it that it cannot be meant. */
  readonly joined: string | undefined;
  /** A piece that begins with all that was there takes its place. */
  readonly latest: string;
  /** Came as an object instead of text: nothing can be added to it. */
  readonly isWhole: boolean;
}

export const noArguments: CallArguments = { joined: "", latest: "", isWhole: false };

/** Take in one piece. With it comes what is new of it, for display. */
export function addArguments(before: CallArguments, piece: unknown): [CallArguments, string] {
  if (piece === undefined || piece === null || piece === "") return [before, ""];
  if (typeof piece !== "string") {
    const text = JSON.stringify(piece);
    return [{ joined: text, latest: text, isWhole: true }, text === before.latest ? "" : text];
  }
  // Some servers begin with an empty object and then send the text.
  if (before.isWhole) return [{ joined: piece, latest: piece, isWhole: false }, piece];

  const { joined, latest } = before;
  const grown = joined === undefined ? undefined : joined + piece;
  // Compared by length first: of a text that is put together again and again, every look inside costs its length.
  if (latest === "" || piece.length < latest.length || !piece.startsWith(latest)) {
    const next = joined === latest ? grown : latest + piece;
    return [{ joined: grown, latest: next ?? latest + piece, isWhole: false }, piece];
  }
  const kept = grown !== undefined && grown.length <= longestJoined ? grown : undefined;
  return [{ joined: kept, latest: piece, isWhole: false }, piece.slice(latest.length)];
}

/** With every piece a whole, what is put together grows with the square of it. */
const longestJoined = 2 ** 24;

/** The text that was meant. */
export function argumentsText({ joined, latest }: CallArguments): string {
  return joined !== undefined && joined !== latest && isJSON(joined) ? joined : latest;
}

/** Whether a piece says nothing, or only what was said; or takes the place of the empty object that some servers begin with. */
export function addsNothing({ latest }: CallArguments, piece: unknown): boolean {
  return piece === "" || latest === "{}" || latest === (typeof piece === "string" ? piece : JSON.stringify(piece));
}

/** Whether a piece can be more of these arguments, rather than the beginning of other ones. */
export function canGrow(call: CallArguments, piece: unknown): boolean {
  // Asked first: to look into what is there costs its length.
  const isBeginning = typeof piece !== "string" || piece === "" || /^\s*\{/.test(piece);
  return !isBeginning || !areComplete(call);
}

/** Whether nothing can follow any more. */
export function areComplete(call: CallArguments): boolean {
  return call.isWhole || isJSON(argumentsText(call));
}

function isJSON(text: string): boolean {
  // Most that is no JSON is seen by its last character: arguments are an object.
  if (!/[}\]\s]$/.test(text.slice(-1))) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
