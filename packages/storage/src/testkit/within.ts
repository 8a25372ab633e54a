/**
 * What the promise gives, if it does in time.
 *
 * @param patience in milliseconds
 * @param what ends the sentence "… within 10 s": `No event came`
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

/** Looks again and again until there is a value. */
export async function eventually<Value>(
  look: () => Promise<Value | undefined>,
  patience: number,
  what: string,
): Promise<Value> {
  const end = performance.now() + patience;
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    if (performance.now() > end) throw new Error(`${what} within ${patience / 1000} s.`);
    await pause(10);
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
