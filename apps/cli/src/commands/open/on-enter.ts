import type { Readable } from "node:stream";

/**
 * Calls `press` whenever a person presses Enter, whatever was typed before it. Reads only while it may, which is looked at again when
 * the process goes on after it was stopped: as with Ctrl-Z and `bg`.
 *
 * @returns stops listening, so that the input does not keep the process alive
 */
export function onEnter(input: Readable, press: () => void, mayRead: () => boolean): () => void {
  const hear = (chunk: Buffer | string) => {
    if (/[\r\n]/.test(chunk.toString())) press();
  };
  const leave = () => {
    input.off("data", hear);
    input.pause();
  };
  const look = () => {
    leave();
    if (mayRead()) input.on("data", hear).resume();
  };
  look();
  process.on("SIGCONT", look);
  return () => {
    process.off("SIGCONT", look);
    leave();
  };
}
