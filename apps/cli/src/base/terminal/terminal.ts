import { setImmediate, setTimeout } from "node:timers/promises";

/** A terminal, or two streams in its place. */
export interface Terminal {
  input: NodeJS.ReadableStream & { setRawMode?(isRaw: boolean): unknown };
  output: NodeJS.WritableStream & { columns?: number; rows?: number };
}

/** Milliseconds within which the system hands over what waits at a terminal. */
const handover = 50;

/**
 * Discards what was typed before a question is shown, so that it cannot answer the question. Uses raw mode, in which the
 * terminal also hands over an unfinished line. Ctrl-C arrives as a character then.
 */
export async function discardTyped({ input }: Terminal): Promise<void> {
  if (!input.readable) return;
  const discard = (typed: Buffer | string) => {
    if (typed.includes("\u0003")) process.kill(process.pid, "SIGINT");
  };
  input.setRawMode?.(true);
  input.on("data", discard).resume();
  await setTimeout(handover);
  // On a busy machine the timer may fire before the input was read once. This turn of the event loop comes after reading.
  await setImmediate();
  input.off("data", discard).pause();
  input.setRawMode?.(false);
}
