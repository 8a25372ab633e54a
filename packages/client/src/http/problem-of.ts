import { ClientError } from "../client-error.ts";

/** Reads why the server refused a request. */
export async function problemOf(response: Response): Promise<ClientError> {
  const { status } = response;
  const retryAfter = millisecondsOf(response.headers.get("retry-after"));
  try {
    const { code, message } = (await response.json()) as { code?: unknown; message?: unknown };
    if (typeof code === "string" && typeof message === "string")
      return new ClientError(code, message, { status, retryAfter });
  } catch {
    // A proxy answers with a page of its own.
  }
  const message =
    status === 404
      ? "There are no conversations at this address: it answered with status 404. Give createClient the `url` of the server, with its `prefix`."
      : `The server answered with status ${status}.`;
  return new ClientError("bad_response", message, { status, retryAfter });
}

/** Reads `Retry-After`: a number of seconds, or a time. */
function millisecondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const milliseconds = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return milliseconds >= 0 ? milliseconds : undefined;
}
