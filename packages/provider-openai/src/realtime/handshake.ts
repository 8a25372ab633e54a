import type { IncomingMessage } from "node:http";
import { ProviderError } from "@cogency/provider";
import { answerTooLarge, isRedirectStatus, redirectError, startTimer, toProviderError } from "@cogency/provider/http";
import type { WebSocket } from "ws";
import type { Endpoint } from "../endpoint/endpoint.ts";

/** Begins to connect; see {@link opened}. The path and the query of the endpoint's address are kept. */
export async function createSocket(endpoint: Endpoint, model: string): Promise<WebSocket> {
  // Imported only when connecting, so that this package loads where `ws` does not, such as in a browser.
  const { WebSocket } = await import("ws");
  const { organization } = endpoint.client;
  try {
    return new WebSocket(socketURL(endpoint.url, model), {
      headers: {
        ...(endpoint.apiKey ? { Authorization: `Bearer ${endpoint.apiKey}` } : {}),
        ...(organization ? { "OpenAI-Organization": organization } : {}),
        ...endpoint.headers,
      },
      perMessageDeflate: false,
      // A redirect would take the key to another server.
      followRedirects: false,
      maxPayload: Math.min(endpoint.limits.eventBytes, 2 ** 31 - 1),
    });
  } catch (error) {
    throw failure(error, endpoint);
  }
}

/**
 * Resolves when the socket is open.
 *
 * @throws ProviderError by the status if the server refuses, `connection` if it is not reached, `bad_response` if it is
 * not a WebSocket server or redirects. The caller must then terminate the socket.
 */
export function opened(socket: WebSocket, endpoint: Endpoint): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("unexpected-response", (_, response) => {
      readStart(response, endpoint).then((body) => reject(refusal(response, body, endpoint)), reject);
    });
    socket.once("error", (error) => reject(failure(error, endpoint)));
  });
}

function socketURL(base: URL, model: string): URL {
  const url = new URL(base);
  url.protocol = base.protocol === "https:" ? "wss:" : "ws:";
  url.pathname = `${base.pathname.replace(/\/+$/, "")}/realtime`;
  url.searchParams.set("model", model);
  url.hash = "";
  return url;
}

/** Milliseconds to read the body of a refusal: it may never end, and the status matters more. */
const longestRead = 500;

/** @throws ProviderError `answer_too_large` */
async function readStart(response: IncomingMessage, { url, limits }: Endpoint): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  const timer = startTimer(longestRead, () => response.destroy());
  try {
    for await (const piece of response) {
      pieces.push(piece);
      length += piece.length;
      if (length > limits.errorBytes) break;
    }
  } catch {
    // The part that arrived is enough.
  } finally {
    timer.stop();
  }
  if (length > limits.errorBytes) throw answerTooLarge(url.host, "errorBytes", limits, response.statusCode);
  return Buffer.concat(pieces).toString();
}

function refusal(response: IncomingMessage, body: string, { url, advice, redact }: Endpoint): ProviderError {
  const status = response.statusCode ?? 0;
  if (isRedirectStatus(status)) return redirectError(url.host, status, response.headers.location ?? "", url.href);
  if (status < 400) {
    const message = `${url.host} answered with HTTP ${status} where a WebSocket was expected. Check \`baseURL\`; it usually ends in /v1.`;
    return new ProviderError("bad_response", message, { status });
  }
  const answer = { status, headers: toHeaders(response), error: json(body) };
  const error = Object.assign(new Error(body || response.statusMessage || "no reason given"), answer);
  return toProviderError(error, { host: url.host, wire: "Realtime", responded: false, partial: "", advice, redact });
}

function toHeaders({ headers }: IncomingMessage): Headers {
  const pairs = Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one]));
  return new Headers(pairs as [string, string][]);
}

function json(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function failure(error: unknown, { url, redact }: Endpoint): ProviderError {
  if (error instanceof TypeError || (error instanceof Error && "code" in error)) {
    // `toProviderError` recognizes a network failure by its cause; `ws` throws that cause itself.
    const known = error instanceof TypeError ? error : new Error("no connection", { cause: error });
    return toProviderError(known, { host: url.host, wire: "Realtime", responded: false, partial: "", redact });
  }
  const reason = redact(error instanceof Error ? error.message : String(error));
  return new ProviderError("bad_response", `${url.host} did not open a WebSocket: ${reason}`);
}
