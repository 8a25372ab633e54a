/** The name, with as many underscores behind it as it takes to differ from the names in use. */
export function uniqueName(name: string, used: ReadonlySet<string>): string {
  return used.has(name) ? uniqueName(`${name}_`, used) : name;
}
