/** The first error of this class in the chain of causes, which begins with the error itself. */
export function causeOf<E extends Error>(error: unknown, kind: abstract new (...args: never) => E): E | undefined {
  const seen = new Set<unknown>();
  for (let cause = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    if (cause instanceof kind) return cause;
    seen.add(cause);
  }
  return undefined;
}
