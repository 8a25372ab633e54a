/** Whether a name fits a pattern, in which `*` stands for any letters. */
export function fits(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === name;
  if (!name.startsWith(first)) return false;
  const last = rest.pop() ?? "";
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length >= at + last.length && name.endsWith(last);
}

export function fitsAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => fits(pattern, name));
}
