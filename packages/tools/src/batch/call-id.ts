/** Makes an id for a call: `call_` and 20 random letters and digits (protocol.md §3). */
export function mintCallId(): string {
  let id = "call_";
  while (id.length < length) {
    const byte = randomByte();
    // A byte of 248 or more would make the first characters of the alphabet likelier.
    if (byte < 248) id += alphabet.charAt(byte % alphabet.length);
  }
  return id;
}

/** Whether an id has the form of all ids: `[A-Za-z0-9_-]{1,40}` (protocol.md §3). */
export function isCallId(id: unknown): id is string {
  return typeof id === "string" && /^[A-Za-z0-9_-]{1,40}$/.test(id);
}

const length = 25;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Random bytes drawn in advance: one request to the system for each id would cost more than the rest of a call. */
const pool = new Uint8Array(4096);
let drawn = pool.length;

function randomByte(): number {
  if (drawn === pool.length) {
    crypto.getRandomValues(pool);
    drawn = 0;
  }
  return pool[drawn++] as number;
}
