/**
 * What `work` resolves to, or an error when that takes longer than `time` milliseconds: then `giveUp` is called, and
 * whatever becomes of the work is ignored.
 *
 * @param isInLine asked now and then: while it is true the time does not run
 */
export async function within<T>(
  work: Promise<T>,
  time: number,
  giveUp?: () => void,
  isInLine: () => boolean = () => false,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_, reject) => {
    let since = performance.now();
    timer = setInterval(() => {
      const now = performance.now();
      if (isInLine()) since = now;
      if (now - since < time) return;
      clearInterval(timer);
      giveUp?.();
      reject(new Error(`no answer for ${time / 1_000} s`));
    }, time / 10);
  });
  return Promise.race([work, overdue]).finally(() => clearInterval(timer));
}
