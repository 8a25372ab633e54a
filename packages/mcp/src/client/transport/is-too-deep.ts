/** Whether a value is nested deeper than `most` levels. It does not recurse, so no depth can exhaust the stack. */
export function isTooDeep(value: unknown, most: number): boolean {
  let level: object[] = isNode(value) ? [value] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= most) return true;
    const next: object[] = [];
    for (const node of level) for (const inner of Object.values(node)) if (isNode(inner)) next.push(inner);
    level = next;
  }
  return false;
}

function isNode(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
