import { createReadStream } from "node:fs";

/**
 * The lines of a UTF-8 file, without their line feeds. Only a line feed ends a line: strings in JSON may hold U+2028, at
 * which readers of Node's own end one, too.
 *
 * @param refuse called for what is no UTF-8
 */
export async function* readLines(path: string, refuse: () => never): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (bytes?: Buffer) => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      return refuse();
    }
  };
  let pieces: string[] = [];
  for await (const bytes of createReadStream(path)) {
    const [first = "", ...others] = decode(bytes).split("\n");
    pieces.push(first);
    for (const next of others) {
      yield pieces.join("");
      pieces = [next];
    }
  }
  pieces.push(decode());
  const rest = pieces.join("");
  if (rest !== "") yield rest;
}
