import { PassThrough } from "node:stream";

/** Where a report could write, of so many columns; what was written is read from it. */
export function fakeStream({ columns = 80, isTTY = false } = {}): NodeJS.WriteStream & PassThrough {
  const stream = Object.assign(new PassThrough({ encoding: "utf8" }), {
    columns,
    isTTY,
    getColorDepth: () => (isTTY ? 4 : 1),
    hasColors: () => isTTY,
  });
  return stream as unknown as NodeJS.WriteStream & PassThrough;
}
