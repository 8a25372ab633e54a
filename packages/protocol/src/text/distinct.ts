/** `name`, followed by as many underscores as it takes to differ from those in use. */
export function distinct(name: string, used: ReadonlySet<string>): string {
  return used.has(name) ? distinct(`${name}_`, used) : name;
}
