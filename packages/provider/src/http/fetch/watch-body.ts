import { startTimer } from "@cogency/async";

export interface BodyWatch {
  /** Once it aborts, reading fails with its reason. */
  signal: AbortSignal;
  /** Milliseconds to wait for the next piece. */
  idle: number;
  /** Whether the limit applies to the first piece too. */
  limitsFirst: boolean;
  /** Called with the length of every piece that is not empty, before the piece is delivered. */
  onBytes(length: number): void;
  onIdle(): void;
  /** Called when the body was read to its end, has failed or was cancelled. */
  onEnd(): void;
}

/**
 * The same bytes, read only on demand, with a time limit for the next byte. The limit applies while a reader waits, and
 * after the first byte.
 */
export function watchBody(
  body: ReadableStream<Uint8Array>,
  { signal, idle, limitsFirst, onBytes, onIdle, onEnd }: BodyWatch,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const clock = createIdleClock(idle, onIdle);
  let hasBegun = limitsFirst;
  let fail = () => {};
  const end = () => {
    clock.stop();
    signal.removeEventListener("abort", fail);
    onEnd();
  };

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Fails at once, even if the underlying body ignores the signal.
        fail = () => {
          end();
          controller.error(signal.reason);
          reader.cancel(signal.reason).catch(() => {});
        };
        signal.addEventListener("abort", fail);
        if (signal.aborted) fail();
      },
      async pull(controller) {
        if (hasBegun) clock.start();
        try {
          const { done, value } = await reader.read();
          if (signal.aborted) return;
          if (done) {
            end();
            controller.close();
            return;
          }
          if (value.byteLength > 0) {
            hasBegun = true;
            onBytes(value.byteLength);
            if (signal.aborted) return;
          }
          clock.pause();
          controller.enqueue(value);
        } catch (error) {
          if (signal.aborted) return;
          end();
          controller.error(error);
        }
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    // Nothing is read ahead, so that a slow consumer makes the server wait.
    { highWaterMark: 0 },
  );
}

/**
 * Calls `onIdle` when a reader has waited for too long. A timer for each piece would cost more than the piece, so there is
 * at most one timer: when it fires, it checks how long the current wait has lasted.
 */
function createIdleClock(limit: number, onIdle: () => void) {
  let timer: ReturnType<typeof startTimer> | undefined;
  let waitingSince: number | undefined;

  function check() {
    timer = undefined;
    // While nobody waits no timer is needed; the next wait starts one.
    if (waitingSince === undefined) return;
    const left = waitingSince + limit - performance.now();
    if (left <= 0) onIdle();
    else timer = startTimer(left, check);
  }

  return {
    start() {
      waitingSince = performance.now();
      timer ??= startTimer(limit, check);
    },
    pause() {
      waitingSince = undefined;
    },
    stop() {
      waitingSince = undefined;
      timer?.stop();
    },
  };
}
