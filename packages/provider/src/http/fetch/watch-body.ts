import { startTimer } from "../timer.ts";

export interface BodyWatch {
  /** Its reason is what reading fails with once it aborts. */
  signal: AbortSignal;
  /** Milliseconds to wait for the next piece. */
  idle: number;
  /** The limit holds for the first piece, too. */
  isImpatient: boolean;
  /** Called with the length of every piece that is not empty, before it is given. */
  onBytes(length: number): void;
  onIdle(): void;
  /** The body is over: read to its end, failed or given up. */
  onEnd(): void;
}

/**
 * The same bytes, read only when they are asked for, with a limit to how long the next one may take. The limit counts
 * while somebody waits for a byte, and begins with the first one.
 */
export function watchBody(
  body: ReadableStream<Uint8Array>,
  { signal, idle, isImpatient, onBytes, onIdle, onEnd }: BodyWatch,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const clock = createIdleClock(idle, onIdle);
  let hasBegun = isImpatient;
  let fail = () => {};
  const end = () => {
    clock.stop();
    signal.removeEventListener("abort", fail);
    onEnd();
  };

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // At once, also where what is read from does not follow the signal.
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
    // Nothing is read ahead: what a slow consumer does not want stays with the server.
    { highWaterMark: 0 },
  );
}

/**
 * Tells when somebody has waited for too long. A timer a piece would cost more than the piece: there is one timer at
 * most, which looks when it fires how long the present wait has lasted.
 */
function createIdleClock(limit: number, onIdle: () => void) {
  let timer: ReturnType<typeof startTimer> | undefined;
  let waitingSince: number | undefined;

  function look() {
    timer = undefined;
    // While nobody waits there is nothing to look after; the next wait arms it again.
    if (waitingSince === undefined) return;
    const left = waitingSince + limit - performance.now();
    if (left <= 0) onIdle();
    else timer = startTimer(left, look);
  }

  return {
    start() {
      waitingSince = performance.now();
      timer ??= startTimer(limit, look);
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
