import { isObject } from "./wire-values.ts";

/** The error that an event reports instead of a piece of the answer; undefined if it reports none. */
export function streamFailure(event: unknown): Error | undefined {
  if (!isObject(event)) return undefined;
  const isError = event.type === "error" || (event.type === undefined && event.error !== undefined);
  return isError ? sdkError(event) : undefined;
}

/** In the shape in which the SDK throws an error that a server reports in the middle of an answer. */
function sdkError(body: unknown): Error {
  return Object.assign(new Error(JSON.stringify(body)), { error: body });
}
