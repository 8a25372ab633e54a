/** Joins bytes that come in pieces. They are copied, because many small pieces take several times their size in memory. */
export function createGrowingBytes() {
  let bytes = new Uint8Array(1024);
  let length = 0;
  return {
    get length() {
      return length;
    },
    append(piece: Uint8Array) {
      if (length + piece.length > bytes.length) {
        const larger = new Uint8Array(Math.max(2 * bytes.length, length + piece.length));
        larger.set(bytes.subarray(0, length));
        bytes = larger;
      }
      bytes.set(piece, length);
      length += piece.length;
    },
    /** The bytes since the last `take`; valid until the next `append`. */
    take(): Uint8Array<ArrayBuffer> {
      const taken = bytes.subarray(0, length);
      length = 0;
      return taken;
    },
  };
}
