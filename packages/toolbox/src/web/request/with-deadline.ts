import { WebError } from "../web-error.ts";

interface Deadline {
  /** The URL for the error. */
  url: string;
  /** Milliseconds. */
  timeout: number;
  signal?: AbortSignal | undefined;
}

/**
 * Runs `work` with a signal that aborts when the caller's aborts or the time is over, and rejects at that moment.
 *
 * @throws WebError `timeout`; the reason of the caller's signal
 */
export async function withDeadline<T>(
  { url, timeout, signal }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (reason: unknown) => {
    controller.abort(reason);
    reject(reason);
  };
  const abort = () => end(signal?.reason);
  const timer = setTimeout(() => {
    end(
      new WebError("timeout", url, `"${url}" did not come within ${timeout} ms. Try again later, or another source.`),
    );
  }, timeout);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work(controller.signal), ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}
