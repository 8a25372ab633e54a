/** Milliseconds that the end of a body may come after the answer is complete. */
const grace = 50;

/**
 * The bytes of an answer, read only on demand. Once `isComplete`, the end of the body is awaited for 50 ms: a body that is
 * cancelled before its end closes its connection, so that the next request has to open another one, but some servers keep
 * the body open for ever. Errors in that time are ignored.
 *
 * Leaving the iteration early closes the connection. So does an abort of `signal`, which ends the iteration and throws
 * nothing.
 */
export async function* readBody(
  body: ReadableStream<Uint8Array>,
  isComplete: () => boolean,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  const giveUp = () => reader.cancel().catch(() => {});
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal?.addEventListener("abort", giveUp);
  if (signal?.aborted) void giveUp();
  try {
    for (;;) {
      if (isComplete()) timer ??= setTimeout(giveUp, grace);
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    if (!isComplete()) throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
    // Not awaited: the consumer has left, and the `cancel` of another `fetch` may never resolve.
    void giveUp();
  }
}
