import { setImmediate, setTimeout } from "node:timers/promises";
import type { Terminal } from "./terminal.ts";

/** Milliseconds within which the system hands over what waits at a terminal. */
const handover = 50;

/**
 * What was typed before a question can be seen is no answer to it. Raw mode, because there an unfinished line is handed
 * over, too; and Ctrl-C, which the system does not act on then.
 */
export async function discardTyped({ input }: Terminal): Promise<void> {
  if (!input.readable) return;
  const discard = (typed: Buffer | string) => {
    if (typed.includes("\u0003")) process.kill(process.pid, "SIGINT");
  };
  input.setRawMode?.(true);
  input.on("data", discard).resume();
  await setTimeout(handover);
  // On a busy machine the time can be over before the input was looked at even once; this comes after it.
  await setImmediate();
  input.off("data", discard).pause();
  input.setRawMode?.(false);
}
