/** These methods of an object, as functions that need no object. */
export function bound<T extends object, Name extends keyof T>(object: T, names: readonly Name[]): Pick<T, Name> {
  return Object.fromEntries(names.map((name) => [name, (object[name] as () => void).bind(object)])) as Pick<T, Name>;
}
