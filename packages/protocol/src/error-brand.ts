/**
 * Marks a class of errors and its subclasses, so that every copy of its package recognizes them. Two copies of a package may
 * be loaded, such as the one in the app and the one of a provider that is installed apart, and `instanceof` knows only the
 * errors of its own copy.
 *
 * @param name the name of the class, which is unique among our packages
 */
export function brandErrors(kind: abstract new (...args: never) => Error, name: string): void {
  Object.defineProperty(kind.prototype, brand(name), { value: true });
}

/** Whether a value is an error of the class that has been marked with this name, in this copy of its package or another. */
export function hasErrorBrand(value: unknown, name: string): value is Error {
  return typeof value === "object" && value !== null && brand(name) in value;
}

function brand(name: string): symbol {
  return Symbol.for(`cogency.${name}`);
}
