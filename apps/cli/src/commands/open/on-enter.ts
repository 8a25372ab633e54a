import type { Readable } from "node:stream";

/**
 * Calls `press` whenever a person presses Enter, whatever was typed before it.
 *
 * @returns stops listening, so that the input does not keep the process alive
 */
export function onEnter(input: Readable, press: () => void): () => void {
  const hear = (chunk: Buffer | string) => {
    if (/[\r\n]/.test(chunk.toString())) press();
  };
  input.on("data", hear);
  return () => {
    input.off("data", hear);
    input.pause();
  };
}
