/**
 * The error of a failure that a server reports in the middle of an answer, in the shape in which SDKs throw it, so that
 * `toProviderError` reads its code and its words.
 *
 * @param body the server's own object
 * @param words for a body without a `message`; defaults to the body as JSON
 */
export function reportedError(body: unknown, words = JSON.stringify(body)): Error {
  return Object.assign(new Error(words), { error: body });
}
