/** Limits the time to wait for answers of the server. */
export interface AnswerWatch {
  /**
   * Resolves like `answer`, but rejects if it takes too long; it then calls `giveUp` and ignores the answer.
   *
   * @param isInLine polled; time does not count while it returns true
   */
  limit<T>(answer: Promise<T>, giveUp: () => void, isInLine: () => boolean): Promise<T>;
}

interface Watched {
  since: number;
  isInLine(): boolean;
  giveUp(): void;
}

/**
 * Polls all awaited answers with one timer: a timer for each would cost an append several percent.
 *
 * @param time milliseconds to wait for one answer
 */
export function answerWatch(time: number): AnswerWatch {
  const watched = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;

  return {
    limit: (answer, giveUp, isInLine) =>
      new Promise((resolve, reject) => {
        const one: Watched = {
          since: performance.now(),
          isInLine,
          giveUp() {
            giveUp();
            reject(noAnswer(time));
          },
        };
        add(one);
        answer.then(
          (value) => {
            remove(one);
            resolve(value);
          },
          (error) => {
            remove(one);
            reject(error);
          },
        );
      }),
  };

  function add(one: Watched): void {
    watched.add(one);
    timer ??= setInterval(look, time / 10);
    timer.ref();
  }

  function remove(one: Watched): void {
    watched.delete(one);
    // Without awaited answers, the timer does not keep the process alive.
    if (watched.size === 0) timer?.unref();
  }

  function look(): void {
    const now = performance.now();
    for (const one of [...watched]) {
      if (one.isInLine()) one.since = now;
      if (now - one.since < time) continue;
      remove(one);
      one.giveUp();
    }
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }
}

/** @param time milliseconds that the server had */
export function noAnswer(time: number): Error {
  return new Error(`no answer for ${time / 1_000} s`);
}
