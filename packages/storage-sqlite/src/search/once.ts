/** Calls `make` on first use, for statements on a table that may not exist yet. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
