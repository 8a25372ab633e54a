/** Whether there is something to await. Awaiting a value that is already there costs more than many calls do. */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
