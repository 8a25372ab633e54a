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
  return new ClientError("bad_response", `The server answered with status ${status}.`, { status, retryAfter });
}

/** Reads `Retry-After`: a number of seconds, or a time. */
function millisecondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const milliseconds = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return milliseconds >= 0 ? milliseconds : undefined;
}
