const letters = "abcdefghijklmnopqrstuvwxyz0123456789";

/** An id that none of these memories has. It says nothing of the words. */
export function newId(others: readonly { readonly id: string }[]): string {
  for (;;) {
    const id = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => letters[byte % letters.length]).join("");
    if (!others.some((other) => other.id === id)) return id;
  }
}
