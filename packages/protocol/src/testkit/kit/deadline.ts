/**
 * Resolves or rejects as the promise does, and rejects if that takes too long.
 *
 * @param patience in milliseconds
 * @param problem begins the sentence "… within 10 s.": `No event came`
 */
export async function within<Value>(promise: PromiseLike<Value>, patience: number, problem: string): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(expired(problem, patience)), patience);
  });
  try {
    return await Promise.race([promise, expiry]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Looks every few milliseconds until there is something, and returns it; `undefined` and `false` are nothing. Rejects
 * if that takes too long, and at once if `look` throws.
 *
 * @param patience in milliseconds; a look that has begun is waited for
 * @param problem begins the sentence "… within 10 s.": `The lease did not expire`
 */
export async function eventually<Value>(
  look: () => Value | Promise<Value>,
  patience: number,
  problem: string,
): Promise<Exclude<Value, undefined | false>> {
  const end = performance.now() + patience;
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== false) return value as Exclude<Value, undefined | false>;
    if (performance.now() > end) throw expired(problem, patience);
    await pause(5);
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function expired(problem: string, patience: number): Error {
  return new Error(`${problem} within ${patience / 1000} s.`);
}
