/** Up to three of `names` that a person could have meant by `wanted`, the nearest first. */
export function nearestNames(wanted: string, names: readonly string[]): string[] {
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  return names
    .slice(0, MOST_NAMES)
    .filter((name) => Math.abs(name.length - wanted.length) <= limit)
    .map((name) => ({ name, distance: editDistance(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

// Comparing every name of a huge folder would hold up everything else.
const MOST_NAMES = 5000;

function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replace = at(above, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replace, at(above, column) + 1, at(current, column - 1) + 1));
    }
    above = current;
  }
  return at(above, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
