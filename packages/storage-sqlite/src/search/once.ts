/** Makes something when it is first asked for: statements on a table that may not be there yet. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
