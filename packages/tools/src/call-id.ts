/** A fresh id for a call: `call_` and 20 random letters and digits (contracts.md: `[A-Za-z0-9_-]{1,40}`). */
export function mintCallId(): string {
  let id = "call_";
  while (id.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // Bytes beyond the last whole alphabet would make its first characters likelier.
      if (byte < 248 && id.length < length) id += alphabet.charAt(byte % alphabet.length);
    }
  }
  return id;
}

/** Whether an id that came with a call is of the shape that ids have everywhere (contracts.md). */
export function isCallId(id: unknown): id is string {
  return typeof id === "string" && /^[A-Za-z0-9_-]{1,40}$/.test(id);
}

const length = 25;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
