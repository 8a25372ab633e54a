/** The most bytes of an event, a message or a profile, as JSON in UTF-8. */
export const maxStoredBytes = 100_000_000;

/** Throws. `problem` ends a sentence. */
type Refuse = (problem: string, options?: ErrorOptions) => never;

/**
 * Returns what `write` returns, the JSON of a value. Calls `refuse` if it has more than `maxStoredBytes`, or is longer than a
 * string can be.
 */
export function jsonWithin(write: () => string, refuse: Refuse): string {
  let json: string;
  try {
    json = write();
  } catch (cause) {
    return refuse(tooLarge("more than a string can hold"), { cause });
  }
  // A UTF-16 unit takes at most three bytes.
  const bytes = json.length * 3 <= maxStoredBytes ? 0 : bytesOf(json);
  return bytes > maxStoredBytes ? refuse(tooLarge(`${bytes} bytes`)) : json;
}

/**
 * Adds up the least bytes of the JSON of a value while it is copied, so that a value that is too large is refused before its JSON
 * takes memory.
 */
export function createJsonMeter(refuse: Refuse): (text: string) => void {
  let bytes = 0;
  return (text) => {
    bytes += text.length < worthCounting ? text.length : leastBytes(text);
    if (bytes > maxStoredBytes) refuse(tooLarge(`more than ${maxStoredBytes} bytes`));
  };
}

function tooLarge(size: string): string {
  return `its JSON has ${size}, and a store keeps at most ${maxStoredBytes} (maxStoredBytes). Keep the content elsewhere, and store where it is.`;
}

/** Characters. The JSON of a shorter text takes little memory, though JSON writes some characters as six. */
const worthCounting = 1_000_000;

function leastBytes(text: string): number {
  if (text.length > maxStoredBytes) return text.length;
  let escaped = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) < 0x20) escaped++;
  // Two at least, such as a line feed.
  return text.length + escaped;
}

function bytesOf(json: string): number {
  let bytes = json.length;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    // The two halves of a pair take four bytes.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
