/**
 * The paths that a person may mean by what was typed, the likeliest first: those that begin so, then those whose last name does, then
 * those that hold it, then those that hold its letters in their order, in any letter case. Shorter ones come first.
 */
export function rankedPaths(typed: string, paths: readonly string[], most: number): string[] {
  const wanted = typed.toLowerCase();
  const ranked = paths.flatMap((path) => {
    const rank = rankOf(wanted, path.toLowerCase());
    return rank === undefined ? [] : [{ path, rank, depth: path.split("/").length }];
  });
  ranked.sort(
    (one, other) =>
      one.rank - other.rank ||
      one.depth - other.depth ||
      one.path.length - other.path.length ||
      (one.path < other.path ? -1 : 1),
  );
  return ranked.slice(0, most).map(({ path }) => path);
}

function rankOf(wanted: string, path: string): number | undefined {
  if (path.startsWith(wanted)) return 0;
  if (path.slice(path.lastIndexOf("/", path.length - 2) + 1).startsWith(wanted)) return 1;
  if (path.includes(wanted)) return 2;
  return holdsInOrder(wanted, path) ? 3 : undefined;
}

function holdsInOrder(wanted: string, path: string): boolean {
  let at = 0;
  for (const letter of wanted) {
    at = path.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
