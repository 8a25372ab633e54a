/**
 * Finds up to three known names that a wrong one probably meant, the likeliest first. Letter case, underscores and hyphens do
 * not count, nor does what some models write around a name (`functions.read:0`, `default_api:read`). A name is near if the
 * number of single-character edits is at most a third of its length, and at least two (one for a name of less than three
 * characters).
 */
export function nearestNames(wrong: string, known: readonly string[]): string[] {
  // A name of this length is not a typing error, and each comparison would take long.
  if (wrong.length > 100) return [];
  const wanted = folded(wrong);
  const parts = nameParts(wrong).map(folded);
  return known
    .slice(0, mostNames)
    .map((name) => ({ name, distance: parts.includes(folded(name)) ? 0 : distanceOf(wanted, name) }))
    .filter(({ name, distance }) => distance <= Math.max(name.length < 3 ? 1 : 2, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/**
 * The parts of a name that is written with the name of what holds it, or with a number: `functions.read:0`,
 * `mcp__files__read`. None for a plain name.
 */
export function nameParts(name: string): string[] {
  const parts = name.split(/[^\w-]+|__+/).filter((part) => part !== "" && !/^\d+$/.test(part));
  return parts.length === 1 && parts[0] === name ? [] : parts;
}

function distanceOf(wanted: string, name: string): number {
  const isFar = Math.abs(name.length - wanted.length) > name.length / 3 + 2;
  return isFar ? Number.POSITIVE_INFINITY : editDistance(wanted, folded(name));
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
