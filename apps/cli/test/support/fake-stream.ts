import { PassThrough } from "node:stream";

/** A stream of so many columns to write to, and to read the written text from. */
export function fakeStream({ columns = 80, isTTY = false } = {}): NodeJS.WriteStream & PassThrough {
  const stream = Object.assign(new PassThrough({ encoding: "utf8" }), {
    columns,
    isTTY,
    getColorDepth: () => (isTTY ? 4 : 1),
    hasColors: () => isTTY,
  });
  return stream as unknown as NodeJS.WriteStream & PassThrough;
}
