/** The output of a stream: all of it, or its beginning and its end if it is too long. */
export interface Captured {
  text: string;
  /** Bytes left out in the middle. */
  omitted: number;
  /** The parts of `text` around the place, and what is kept of the stream beyond it. Only if bytes are left out, and more is kept. */
  cut?: { start: string; end: string; whole: string };
}

/** Keeps at most so many bytes of a stream: the first half of them from its beginning, the rest from its end. */
export interface Capture {
  add(chunk: Uint8Array): void;
  read(): Captured;
}

/**
 * @param shown bytes that `text` has at most
 * @param kept bytes that are kept for `whole`, at least `shown`. Memory is taken as the output grows
 */
export function createCapture(shown: number, kept = shown): Capture {
  const most = Math.max(shown, kept);
  const headLength = Math.ceil(most / 2);
  const tailLength = most - headLength;
  let head = new Uint8Array(Math.min(headLength, firstRoom));
  let tail: Uint8Array | undefined;
  let total = 0;

  function addToHead(chunk: Uint8Array): void {
    const needed = total + chunk.length;
    if (needed > head.length) {
      const grown = new Uint8Array(Math.min(headLength, Math.max(needed, 2 * head.length)));
      grown.set(head);
      head = grown;
    }
    head.set(chunk, total);
  }

  /** The tail is a ring buffer: byte n of the stream, counted from 0, is at n modulo its length. */
  function addToTail(chunk: Uint8Array, firstNumber: number): void {
    tail ??= new Uint8Array(tailLength);
    const added = chunk.subarray(Math.max(0, chunk.length - tail.length));
    if (added.length === 0) return;
    const place = (firstNumber + chunk.length - added.length) % tail.length;
    const beforeWrap = added.subarray(0, tail.length - place);
    tail.set(beforeWrap, place);
    tail.set(added.subarray(beforeWrap.length), 0);
  }

  function lastBytes(): Uint8Array {
    const length = Math.min(Math.max(0, total - headLength), tailLength);
    if (tail === undefined || length === 0) return new Uint8Array(0);
    const begin = (total - length) % tail.length;
    const last = new Uint8Array(length);
    const beforeWrap = tail.subarray(begin, begin + length);
    last.set(beforeWrap);
    last.set(tail.subarray(0, length - beforeWrap.length), beforeWrap.length);
    return last;
  }

  return {
    add(chunk) {
      const toHead = chunk.subarray(0, Math.max(0, headLength - total));
      if (toHead.length > 0) addToHead(toHead);
      if (toHead.length < chunk.length) addToTail(chunk.subarray(toHead.length), total + toHead.length);
      total += chunk.length;
    },
    read() {
      const stream = { first: head.subarray(0, Math.min(total, headLength)), last: lastBytes(), total };
      const { omitted, start, end, text } = cutTo(stream, shown);
      if (omitted === 0 || most === shown) return { text, omitted };
      return { text, omitted, cut: { start, end, whole: cutTo(stream, most).text } };
    },
  };
}

const firstRoom = 65_536;

/** What is kept of a stream: bytes from its beginning, and from its end. */
interface Kept {
  first: Uint8Array;
  last: Uint8Array;
  total: number;
}

function cutTo({ first, last, total }: Kept, limit: number): Captured & { start: string; end: string } {
  const isWhole = first.length + last.length === total;
  if (isWhole && total <= limit) return { text: decode(joined(first, last)), omitted: 0, start: "", end: "" };
  const ofEnd = isWhole ? joined(first, last) : last;
  const head = first.subarray(0, Math.ceil(limit / 2));
  const tail = ofEnd.subarray(Math.max(0, ofEnd.length - Math.floor(limit / 2)));
  const before = head.subarray(0, head.length - openLength(head));
  const after = tail.subarray(continuationLength(tail));
  const omitted = total - before.length - after.length;
  const [start, end] = [decode(before), decode(after)];
  return { text: `${start}\n[… ${omitted} bytes left out …]\n${end}`, omitted, start, end };
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
