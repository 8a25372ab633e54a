/** Whether there is something to wait for. Waiting for what is there already costs more than the work of many a call. */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
