import { noAnswer } from "./within.ts";

/** Gives up on answers that take too long. */
export interface AnswerWatch {
  /**
   * What `answer` resolves to, or an error when that takes too long: then `giveUp` is called, and whatever becomes of the
   * answer is ignored.
   *
   * @param isInLine asked now and then: while it is true the time does not run
   */
  limit<T>(answer: Promise<T>, giveUp: () => void, isInLine: () => boolean): Promise<T>;
}

interface Watched {
  since: number;
  isInLine(): boolean;
  giveUp(): void;
}

/**
 * One timer looks at all answers that are waited for: to start and stop one for each costs an append several percent.
 *
 * @param time milliseconds for an answer
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
    // Where nothing is waited for, nothing keeps the process.
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
