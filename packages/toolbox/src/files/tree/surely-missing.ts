/**
 * Tells whether a path that a look did not see was surely not there, and not merely ignored or in a folder that was not entered.
 *
 * @param unseen paths that were not looked at
 * @param isWhole whether the look came to all others
 */
export function surelyMissing(unseen: Iterable<string>, isWhole: boolean): (path: string) => boolean {
  const closed = new Set(unseen);
  return (path) => {
    if (!isWhole || closed.has(".")) return false;
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
      if (closed.has(path.slice(0, end))) return false;
    }
    return true;
  };
}
