import { isObject } from "./wire-values.ts";

/**
 * The error that an event of the stream tells instead of a piece of the answer, or beside it; undefined if it tells none.
 * Besides `{"error":…}` servers have other shapes: `{"object":"error","message":…}` of vLLM, `{"detail":…}` of whatever
 * is built on FastAPI, a bare `{"code":…,"message":…}`, and an `error` of the choice.
 */
export function streamFailure(event: unknown): Error | undefined {
  if (!isObject(event)) return undefined;
  const { choices, usage, error } = event;
  if (error) return failure(error);
  if (Array.isArray(choices) && choices.length > 0) {
    const broken: unknown = choices.find((choice) => isObject(choice) && isObject(choice.error));
    return isObject(broken) ? failure(broken.error) : undefined;
  }
  const { object, type, message, detail } = event;
  const isTold = (typeof message === "string" && message !== "") || Boolean(detail);
  const isError = object === "error" || type === "error" || isTold;
  return isError && !usage ? failure(event) : undefined;
}

/** In the shape in which the SDK throws what a server says in the middle of an answer. */
function failure(body: unknown): Error {
  const { detail } = isObject(body) ? body : {};
  return Object.assign(new Error(typeof detail === "string" ? detail : JSON.stringify(body)), { error: body });
}
