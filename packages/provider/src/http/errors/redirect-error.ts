import { ProviderError } from "../../errors.ts";

/** Whether the answer is a redirect, or comes from one that a `fetch` followed although it was told not to. */
export function isRedirect({ status, type, redirected }: Response): boolean {
  return redirected || type === "opaqueredirect" || isRedirectStatus(status);
}

export function isRedirectStatus(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/**
 * The error of a redirect. Redirects are never followed, because they would send the key and the conversation to another
 * server. Path and query of the target are not repeated, because a server may have put a key there.
 *
 * @param target the header `location`
 * @param from the address that was asked
 */
export function redirectError(host: string, status: number, target: string, from: string): ProviderError {
  const place = placeOf(target, from);
  const code = status === 0 ? "" : ` (HTTP ${status})`;
  const message = `${host} redirects ${place}${code}, which is not followed: the request holds a key and a conversation. If the other address is right, give it as \`baseURL\`.`;
  return new ProviderError("bad_response", message, status === 0 ? {} : { status });
}

/** `elsewhere` for an address without an origin, such as `data:`. */
function placeOf(target: string, from: string): string {
  const { origin } = target !== "" && URL.canParse(target, from) ? new URL(target, from) : { origin: "null" };
  if (origin === "null") return "elsewhere";
  return URL.canParse(from) && origin === new URL(from).origin ? "to another path of its own" : `to ${origin}`;
}
