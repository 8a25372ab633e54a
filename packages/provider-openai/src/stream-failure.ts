import { isObject, reportedError } from "@cogency/provider/http";

/**
 * The error that an event reports instead of a piece of the answer, or beside one; undefined if it reports none.
 * Besides `{"error":…}` servers send other shapes: vLLM `{"object":"error","message":…}`, servers built on FastAPI
 * `{"detail":…}`, others a bare `{"code":…,"message":…}` or an `error` inside the choice.
 */
export function streamFailure(event: unknown): Error | undefined {
  if (!isObject(event)) return undefined;
  const { choices, usage, error } = event;
  if (error) return failureOf(error);
  if (Array.isArray(choices) && choices.length > 0) {
    const broken: unknown = choices.find((choice) => isObject(choice) && isObject(choice.error));
    return isObject(broken) ? failureOf(broken.error) : undefined;
  }
  const { object, type, message, detail } = event;
  const hasReason = (typeof message === "string" && message !== "") || Boolean(detail);
  const isError = object === "error" || type === "error" || hasReason;
  return isError && !usage ? failureOf(event) : undefined;
}

function failureOf(body: unknown): Error {
  const { detail } = isObject(body) ? body : {};
  return typeof detail === "string" ? reportedError(body, detail) : reportedError(body);
}
