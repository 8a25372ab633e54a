/** Milliseconds that the end of a body may come after what completes the answer. */
const grace = 50;

/**
 * The bytes of an answer, read only when they are asked for. Once `isComplete`, the end is waited for a moment and then
 * no more: a body that is given up before its end takes its connection with it, so that the next request would have to
 * make another one, and some servers keep the body open for ever. Whatever else happens in that moment changes nothing.
 *
 * Leaving the iteration early closes the connection. So does `signal`, which ends the iteration and throws nothing.
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
    // Not awaited: whoever leaves has what they want, and a body of another `fetch` may never say that it is given up.
    void giveUp();
  }
}
