/** A fresh id for a call: `call_` and 20 random letters and digits (protocol.md §3). */
export function mintCallId(): string {
  let id = "call_";
  while (id.length < length) {
    const byte = randomByte();
    // Bytes beyond the last whole alphabet would make its first characters likelier.
    if (byte < 248) id += alphabet.charAt(byte % alphabet.length);
  }
  return id;
}

/** Whether an id that came with a call is of the shape that ids have everywhere: `[A-Za-z0-9_-]{1,40}` (protocol.md §3). */
export function isCallId(id: unknown): id is string {
  return typeof id === "string" && /^[A-Za-z0-9_-]{1,40}$/.test(id);
}

const length = 25;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Drawn in advance: asking the system for each id costs more than the rest of a call. */
const pool = new Uint8Array(4096);
let drawn = pool.length;

function randomByte(): number {
  if (drawn === pool.length) {
    crypto.getRandomValues(pool);
    drawn = 0;
  }
  return pool[drawn++] as number;
}
