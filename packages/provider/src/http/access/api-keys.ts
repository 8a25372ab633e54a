/**
 * The keys in environment variables of this name, and of the names with `_1`, `_2` and so on after it, in this order;
 * each key once. What is empty is left out, and so may a number be.
 *
 * @param environment such as `process.env`
 */
export function apiKeys(environment: Readonly<Record<string, string | undefined>>, name: string): string[] {
  const numbered = Object.keys(environment)
    .flatMap((key) => {
      const digits = key.startsWith(`${name}_`) ? key.slice(name.length + 1) : "";
      return /^\d{1,4}$/.test(digits) ? [{ key, number: Number(digits) }] : [];
    })
    .sort((a, b) => a.number - b.number);
  const values = [name, ...numbered.map(({ key }) => key)].map((key) => environment[key]?.trim() ?? "");
  return [...new Set(values)].filter((value) => value !== "");
}
