/**
 * Repeats a look for as long as a command runs, in at most a fiftieth of the time.
 *
 * @returns ends it; resolves when no look is under way any more
 */
export function lookAgain(look: () => Promise<void>): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();
  let isOver = false;
  const lookAfter = (milliseconds: number) => {
    timer = setTimeout(() => {
      const began = performance.now();
      looking = look()
        .catch(() => {})
        .then(() => {
          if (!isOver) lookAfter(Math.max(shortest, 49 * (performance.now() - began)));
        });
    }, milliseconds).unref();
  };
  lookAfter(shortest);
  return async () => {
    isOver = true;
    clearTimeout(timer);
    await looking;
  };
}

/** Milliseconds between two looks. */
const shortest = 1000;
