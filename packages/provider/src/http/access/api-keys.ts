/**
 * The keys in the environment variable of this name and in those with `_1`, `_2` and so on appended, in this order.
 * Duplicates and empty values are left out. Numbers may be missing.
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
