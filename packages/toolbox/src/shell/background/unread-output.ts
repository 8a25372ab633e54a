import { type Capture, type Captured, createCapture, openLength } from "../run/capture.ts";

/** What a command in the background has printed on a stream since the last look: all of it, or its beginning and its end. */
export interface UnreadOutput {
  add(chunk: Uint8Array): void;
  /** What a look would give. */
  peek(): Captured;
  /** What was printed since the last look, which this one is now. */
  take(): Captured;
}

/** @param limit bytes that are kept between two looks */
export function createUnreadOutput(limit: number): UnreadOutput {
  let capture: Capture | undefined;
  /** The bytes of a character that has not come whole, so that no look divides it. */
  let open = new Uint8Array();
  return {
    add(chunk) {
      const bytes = open.length === 0 ? chunk : Buffer.concat([open, chunk]);
      const whole = bytes.length - openLength(bytes);
      open = Uint8Array.from(bytes.subarray(whole));
      if (whole === 0) return;
      capture ??= createCapture(limit);
      capture.add(bytes.subarray(0, whole));
    },
    peek: () => capture?.read() ?? nothing,
    take() {
      const taken = capture?.read() ?? nothing;
      capture = undefined;
      return taken;
    },
  };
}

const nothing: Captured = { text: "", omitted: 0 };
