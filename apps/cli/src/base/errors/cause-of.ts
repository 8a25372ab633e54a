/** The first error of this kind in the chain of causes, which begins with the error itself. */
export function causeOf<E extends Error>(error: unknown, isKind: (value: unknown) => value is E): E | undefined {
  const seen = new Set<unknown>();
  for (let cause = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    if (isKind(cause)) return cause;
    seen.add(cause);
  }
  return undefined;
}
