import { constants } from "node:buffer";
import { createReadStream } from "node:fs";

/**
 * Yields the lines of a UTF-8 file, without their line feeds. Only a line feed ends a line: strings in JSON may hold U+2028,
 * at which the readers of Node end a line too.
 *
 * @param refuse called for the next line if it cannot be read
 */
export async function* readLines(path: string, refuse: (problem: string) => never): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (pieces: readonly Buffer[]) => {
    try {
      return decoder.decode(Buffer.concat(pieces));
    } catch {
      return refuse("it is no UTF-8");
    }
  };
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
      yield decode([...pieces, bytes.subarray(start, end)]);
      pieces = [];
      size = 0;
      start = end + 1;
    }
    pieces.push(bytes.subarray(start));
    size += bytes.length - start;
    if (size > longestLine) refuse(`it is longer than ${longestLine} bytes`);
  }
  if (size > 0) yield decode(pieces);
}

const lineFeed = 10;

/** The longest string of Node. */
const longestLine = constants.MAX_STRING_LENGTH;
