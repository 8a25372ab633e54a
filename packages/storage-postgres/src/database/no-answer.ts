/**
 * Resolves like `work`, but rejects after `time` milliseconds and then ignores the work.
 */
export async function within<T>(work: Promise<T>, time: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(noAnswer(time)), time);
  });
  return Promise.race([work, overdue]).finally(() => clearTimeout(timer));
}

export function noAnswer(time: number): Error {
  return new Error(`no answer for ${time / 1_000} s`);
}
