import { compileSearch } from "../../files/text/text-search.ts";

/** Whether a line is the one that is waited for. */
export type LineTest = (line: string) => boolean;

/**
 * @param until a text that the line holds, or an expression in RE2 syntax, whose time is linear in the line
 * @throws ToolboxError `expression_invalid`
 */
export function lineTest(until: string, regex: boolean): LineTest {
  const search = compileSearch({ text: until, regex });
  return (line) => search.in(line)(0) !== undefined;
}

/** Cuts a stream into lines, also the one that has not ended yet. A line longer than 4,096 characters is several. */
export interface Lines {
  /** Returns the lines that this text ends, and the one that it leaves open. */
  add(chunk: Uint8Array): string[];
  /** The last line that was not blank; empty if there is none. */
  readonly last: string;
}

export function createLines(): Lines {
  const decoder = new TextDecoder();
  let open = "";
  let last = "";
  return {
    add(chunk) {
      const lines = (open + decoder.decode(chunk, { stream: true }))
        .split(/\r\n|[\r\n]/)
        .flatMap((line) => (line.length > longest ? piecesOf(line) : [line]));
      open = lines.at(-1) ?? "";
      last = lines.findLast((line) => line.trim() !== "") ?? last;
      return lines;
    },
    get last() {
      return last;
    },
  };
}

const longest = 4096;

function piecesOf(line: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < line.length; at += longest) pieces.push(line.slice(at, at + longest));
  return pieces;
}
