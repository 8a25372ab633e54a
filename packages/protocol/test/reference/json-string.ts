import { Cut, Refusal } from "./refusal.ts";

export interface JsonString {
  /** Decoded; not yet made well-formed. */
  value: string;
  /** The index after the closing quote. */
  end: number;
  /** Whether it held raw control characters. */
  repaired: boolean;
}

/** The JSON string whose opening quote is at `open`. Raw control characters are accepted with `repair` only. */
export function readString(text: string, open: number, repair: boolean): JsonString {
  const close = closingQuote(text, open);
  const decoded = decode(text.slice(0, close), open + 1, repair, close === text.length);
  if (close === text.length) throw new Cut();
  return { ...decoded, end: close + 1 };
}

/** The index of the quote that closes a string, valid or not; the length of the text if there is none. */
export function closingQuote(text: string, open: number): number {
  let at = open + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
  return Math.min(at, text.length);
}

/** Decodes the inside of a string from `from` on. Only if `isCut` may it end in a part of an escape. */
function decode(text: string, from: number, repair: boolean, isCut: boolean): { value: string; repaired: boolean } {
  let value = "";
  let repaired = false;
  for (let at = from; at < text.length; ) {
    const character = text.charAt(at);
    if (character === "\\") {
      const decoded = decodeEscape(text, at, isCut);
      if (decoded === undefined) break;
      value += decoded.value;
      at = decoded.end;
      continue;
    }
    if (character < " ") {
      if (!repair) throw new Refusal(at, { inString: true });
      repaired = true;
    }
    value += character;
    at++;
  }
  return { value, repaired };
}

const escapes = new Map(
  Object.entries({ '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }),
);

/** Undefined for a part of an escape at the end of a text that is cut there. */
function decodeEscape(text: string, backslash: number, isCut: boolean): { value: string; end: number } | undefined {
  const refuse = (at: number) => new Refusal(at, { from: backslash, inString: true });
  const kind = backslash + 1;
  if (kind === text.length && isCut) return undefined;
  const value = escapes.get(text.charAt(kind));
  if (value !== undefined) return { value, end: kind + 1 };
  if (text.charAt(kind) !== "u") throw refuse(kind);
  const end = kind + 5;
  for (let at = kind + 1; at < end; at++) {
    if (at >= text.length && isCut) return undefined;
    if (!/[0-9a-fA-F]/.test(text.charAt(at))) throw refuse(at);
  }
  return { value: String.fromCharCode(Number.parseInt(text.slice(kind + 1, end), 16)), end };
}
