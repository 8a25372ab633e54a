/** Cuts bytes into lines, and holds no more than the beginning of one. */
export interface Lines {
  add(chunk: Uint8Array): void;
}

export interface LinesOptions {
  /** Bytes of one line. */
  readonly most: number;
  onLine(line: string): void;
  /** Called once for a line that is longer. Its rest is dropped, up to its end. */
  onLong(beginning: string): void;
}

export function createLines({ most, onLine, onLong }: LinesOptions): Lines {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  let isDropping = false;

  function hold(part: Uint8Array): void {
    if (isDropping) return;
    parts.push(part);
    bytes += part.byteLength;
    if (bytes <= most) return;
    isDropping = true;
    const beginning = Buffer.concat(parts).subarray(0, Math.min(most, shownOfLong)).toString("utf8");
    parts = [];
    onLong(beginning);
  }

  function end(): void {
    const line = Buffer.concat(parts).toString("utf8");
    const isWhole = !isDropping;
    parts = [];
    bytes = 0;
    isDropping = false;
    if (isWhole) onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
  }

  return {
    add(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
        hold(chunk.subarray(from, at));
        end();
        from = at + 1;
      }
      if (from < chunk.byteLength) hold(chunk.subarray(from));
    },
  };
}

const lineFeed = 10;
const shownOfLong = 8000;
