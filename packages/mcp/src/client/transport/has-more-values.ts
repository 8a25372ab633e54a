/** Whether more than `most` values are in a value of JSON. It stops as soon as it knows. */
export function hasMoreValues(value: unknown, most: number): boolean {
  const open = [value];
  let count = 0;
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    const inner = Object.values(next);
    count += inner.length;
    if (count > most) return true;
    for (const each of inner) open.push(each);
  }
  return false;
}
