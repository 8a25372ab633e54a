/** The name, with as many underscores behind it as it takes to differ from the names in use. */
export function uniqueName(name: string, used: ReadonlySet<string>): string {
  let unique = name;
  while (used.has(unique)) unique += "_";
  return unique;
}
