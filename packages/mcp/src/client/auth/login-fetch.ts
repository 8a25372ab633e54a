import type { FetchLike } from "@modelcontextprotocol/client";
import { isLoginError, LoginError } from "./login-error.ts";
import { oauthReason } from "./oauth-reason.ts";
import { quoted } from "./quoted.ts";
import { checkAddress } from "./reach.ts";
import { readJson } from "./read-json.ts";

/** The requests of one login. */
export interface LoginFetch {
  /** For the SDK. Once a request has failed, every further one fails as well. */
  readonly fetch: FetchLike;
  /** Why a request failed. The SDK passes over some failures; the caller must not. */
  readonly failure: LoginError | undefined;
}

export interface LoginFetchOptions {
  /** The MCP server that somebody logs in to. */
  readonly server: URL;
  readonly fetch: FetchLike;
  readonly signal: AbortSignal;
}

const mostRequests = 20;
const mostMilliseconds = 30_000;

/**
 * A `fetch` for what the SDK asks while it logs in. No address that `checkAddress` refuses is asked, no redirect to another origin is
 * followed, an answer has limits of time and size, and the SDK sees of it only what OAuth defines.
 */
export function createLoginFetch({ server, fetch, signal }: LoginFetchOptions): LoginFetch {
  let failure: LoginError | undefined;
  let requests = 0;

  async function ask(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const url = checkAddress("An address of the login", address, server);
    requests++;
    if (requests > mostRequests) throw new LoginError("bad_answer", `${server.host} made the login too long.`);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(mostMilliseconds)]);
    const response = await fetch(url, { ...init, redirect: "manual", credentials: "omit", signal: limit });
    return (init.method ?? "GET") === "GET" ? metadataAnswer(url, response) : postAnswer(url, response);
  }

  return {
    get failure() {
      return failure;
    },
    async fetch(address, init) {
      if (failure) throw failure;
      try {
        return await ask(address, init);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        failure = isLoginError(error) ? error : unreachable(new URL(address), error);
        throw failure;
      }
    },
  };
}

/** Metadata that are no JSON are none: many servers answer every address with a page. */
async function metadataAnswer(url: URL, response: Response): Promise<Response> {
  if (isRedirect(response)) return redirectWithin(url, response);
  if (!response.ok) return emptied(response, response.status === 0 ? 404 : response.status);
  const answer = await readJson(url, response);
  return answer ? Response.json(answer) : emptied(response, 404);
}

async function postAnswer(url: URL, response: Response): Promise<Response> {
  if (isRedirect(response)) return redirectWithin(url, response);
  const answer = await readJson(url, response);
  if (response.ok && answer && answer.error === undefined) return Response.json(answer, { status: response.status });
  throw refusal(url, response.status, answer);
}

/** What the authorization server said, without anything that it may have repeated of the request. */
function refusal(url: URL, status: number, answer: Readonly<Record<string, unknown>> | undefined): LoginError {
  const reason = oauthReason(answer?.error);
  if (reason !== undefined) {
    const isBusy = reason === "temporarily_unavailable" || reason === "server_error";
    return new LoginError(isBusy ? "unreachable" : "refused", `${url.host} refused the login (${reason}).`, { reason });
  }
  const problem = status >= 200 && status < 300 ? "no JSON" : `status ${status}`;
  const code = status >= 500 || status === 429 ? "unreachable" : "bad_answer";
  return new LoginError(code, `${url.host} answered the login with ${problem}.`);
}

/** The SDK follows a redirect within the origin, if it keeps the method. */
function redirectWithin(url: URL, response: Response): Response {
  const target = URL.parse(response.headers.get("location") ?? "", url.href);
  void response.body?.cancel().catch(() => {});
  if (target?.origin === url.origin) {
    return new Response(null, { status: response.status, headers: { location: target.href } });
  }
  const where = target ? ` to ${quoted(target.origin === "null" ? target.protocol : target.origin)}` : "";
  throw new LoginError("wrong_server", `${url.host} redirects the login${where}. That was not followed.`);
}

function isRedirect({ status, headers }: Response): boolean {
  return status >= 300 && status < 400 && headers.has("location");
}

function emptied(response: Response, status: number): Response {
  void response.body?.cancel().catch(() => {});
  return new Response(null, { status });
}

function unreachable({ host }: URL, error: unknown): LoginError {
  const isLate = error instanceof DOMException && error.name === "TimeoutError";
  const problem = isLate ? `did not answer the login within ${mostMilliseconds / 1000} s` : "cannot be reached";
  return new LoginError("unreachable", `${host} ${problem}.`, { cause: error });
}
