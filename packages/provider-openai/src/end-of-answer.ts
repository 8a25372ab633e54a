import type { Usage } from "@cogency/protocol";
import { type ModelEvent, ProviderError } from "@cogency/provider";

/**
 * The events that end an answer, or if it is aborted meanwhile, instead of the rest of them what it has `spent` and the
 * finish.
 */
export function* endOfAnswer(
  events: readonly ModelEvent[],
  isAborted: () => boolean,
  spent: () => Usage,
): Generator<ModelEvent> {
  let hasToldUsage = false;
  for (const event of isAborted() ? [] : events) {
    yield event;
    if (event.type === "finish") return;
    hasToldUsage ||= event.type === "usage";
    if (isAborted()) break;
  }
  if (!hasToldUsage) yield { type: "usage", usage: { ...spent(), estimated: true } };
  yield { type: "finish", reason: "aborted" };
}

/** A success that holds no event at all, and was none to begin with. */
export function noEventStream(host: string, contentType: string): ProviderError {
  const told = contentType || "no content type";
  const message = `${host} answered with ${told} where an event stream was expected. Check \`baseURL\`; it usually ends in /v1.`;
  return new ProviderError("bad_response", message);
}

export function unnamedCall(host: string, partial: string): ProviderError {
  return new ProviderError("bad_response", `${host} called a tool without saying which.`, { partial });
}
