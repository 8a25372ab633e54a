/**
 * What `work` resolves to, or an error when that takes longer than `time` milliseconds: then `giveUp` is called, and
 * whatever becomes of the work is ignored.
 */
export async function within<T>(work: Promise<T>, time: number, giveUp?: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      giveUp?.();
      reject(new Error(`no answer for ${time / 1_000} s`));
    }, time);
  });
  return Promise.race([work, overdue]).finally(() => clearTimeout(timer));
}
