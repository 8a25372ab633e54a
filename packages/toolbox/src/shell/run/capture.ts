/** The output of a stream: all of it, or its beginning and its end if it is too long. */
export interface Captured {
  text: string;
  /** Bytes left out in the middle. */
  omitted: number;
}

/** Keeps at most `limit` bytes of a stream: the first half of them from its beginning, the rest from its end. */
export interface Capture {
  add(chunk: Uint8Array): void;
  read(): Captured;
}

export function createCapture(limit: number): Capture {
  const head = new Uint8Array(Math.ceil(limit / 2));
  const tail = new Uint8Array(Math.floor(limit / 2));
  let total = 0;

  /** The tail is a ring buffer: byte n of the stream, counted from 0, is at n modulo its length. */
  function addToTail(chunk: Uint8Array, firstNumber: number): void {
    const kept = chunk.subarray(Math.max(0, chunk.length - tail.length));
    if (kept.length === 0) return;
    const place = (firstNumber + chunk.length - kept.length) % tail.length;
    const beforeWrap = kept.subarray(0, tail.length - place);
    tail.set(beforeWrap, place);
    tail.set(kept.subarray(beforeWrap.length), 0);
  }

  return {
    add(chunk) {
      const toHead = chunk.subarray(0, Math.max(0, head.length - total));
      head.set(toHead, Math.min(total, head.length));
      if (toHead.length < chunk.length) addToTail(chunk.subarray(toHead.length), total + toHead.length);
      total += chunk.length;
    },
    read() {
      const first = head.subarray(0, Math.min(total, head.length));
      const afterHead = Math.min(total - first.length, tail.length);
      const last = new Uint8Array(afterHead);
      for (let index = 0; index < afterHead; index++)
        last[index] = tail[(total - afterHead + index) % tail.length] ?? 0;
      if (first.length + last.length === total) return { text: decode(joined(first, last)), omitted: 0 };
      const start = first.subarray(0, first.length - openLength(first));
      const end = last.subarray(continuationLength(last));
      const omitted = total - start.length - end.length;
      return { text: `${decode(start)}\n[… ${omitted} bytes left out …]\n${decode(end)}`, omitted };
    },
  };
}

function joined(first: Uint8Array, last: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + last.length);
  bytes.set(first);
  bytes.set(last, first.length);
  return bytes;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** The number of bytes at the end that begin an incomplete character. */
export function openLength(bytes: Uint8Array): number {
  for (let length = 1; length <= Math.min(3, bytes.length); length++) {
    const byte = bytes[bytes.length - length] ?? 0;
    if (byte >= 0xc0) return length < sequenceLength(byte) ? length : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

/** The number of bytes at the start that belong to a character that began earlier. */
function continuationLength(bytes: Uint8Array): number {
  let length = 0;
  while (length < Math.min(3, bytes.length) && ((bytes[length] ?? 0) & 0xc0) === 0x80) length++;
  return length;
}
