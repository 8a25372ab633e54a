import { wait } from "@cogency/provider";

/** Waits for work, at most so many milliseconds. Its failure, and what it does later, is nobody's business. */
export async function within(milliseconds: number, work: () => Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const working = (async () => work())().catch(() => {});
  await Promise.race([working.finally(() => over.abort()), wait(milliseconds, over.signal)]);
}
