/**
 * What the promise gives, if it does in time.
 *
 * @param patience in milliseconds
 * @param what ends the sentence "… within 10 s": `The stream gave no event`
 */
export async function within<Value>(promise: Promise<Value>, patience: number, what: string): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} within ${patience / 1000} s.`)), patience);
  });
  try {
    return await Promise.race([promise, expiry]);
  } finally {
    clearTimeout(timer);
  }
}

/** Looks again and again until it is so. */
export async function eventually(isSo: () => boolean, patience: number, what: string): Promise<void> {
  const end = performance.now() + patience;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`${what} within ${patience / 1000} s.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
