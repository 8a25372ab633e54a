/**
 * Finds up to three known names that a wrong one probably meant, the likeliest first. Letter case, underscores and hyphens do
 * not count. A name is near if the number of single-character edits is at most a third of its length, and at least two (one
 * for a name of less than three characters).
 */
export function nearestNames(wrong: string, known: readonly string[]): string[] {
  // A name of this length is not a typing error, and each comparison would take long.
  if (wrong.length > 100) return [];
  const wanted = folded(wrong);
  return known
    .slice(0, mostNames)
    .filter((name) => Math.abs(name.length - wrong.length) <= name.length / 3 + 2)
    .map((name) => ({ name, distance: editDistance(wanted, folded(name)) }))
    .filter(({ name, distance }) => distance <= Math.max(name.length < 3 ? 1 : 2, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Names that are compared: those of a huge folder would block the process. */
const mostNames = 5000;

function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}

/** Levenshtein distance, one row at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const [corner = 0, above = 0] = row.slice(column, column + 2);
      next.push(Math.min(above + 1, (next[column] ?? 0) + 1, corner + (character === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
