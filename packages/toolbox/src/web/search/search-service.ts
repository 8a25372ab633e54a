import type { IncomingMessage } from "node:http";
import type * as z from "zod";
import { type AddressGuard, createAddressGuard, hostOf, isOwnHost } from "../address/address-guard.ts";
import { checkUrl } from "../address/check-url.ts";
import { checkLimits, exchange, type Lookup, secondsToWait, userAgent, type WebRequest } from "../request/exchange.ts";
import { acceptedEncodings, readBody } from "../request/read-body.ts";
import { withDeadline } from "../request/with-deadline.ts";
import { WebError } from "../web-error.ts";
import type { SearchBackend, SearchResult } from "./search-backend.ts";

export interface SearchServiceOptions {
  /** Milliseconds for one search; defaults to 20,000. */
  timeout?: number | undefined;
  /**
   * Host names, addresses and ranges such as `10.1.0.0/16` that the service may have although they are not public. An address
   * or an inner name in `url` itself, such as `localhost`, needs no entry.
   */
  allow?: readonly string[] | undefined;
  /** Resolves the host name of the service; defaults to the system's resolver. */
  lookup?: Lookup | undefined;
}

/** The requests and answers of one service. */
export interface SearchWire<Answer> {
  name: string;
  /** The address of the service. */
  url: string;
  /** Removed from the answers of the service. */
  apiKey?: string | undefined;
  request(query: string, limit: number): SearchRequest;
  /** Makes the schema of an answer. */
  answer(): z.ZodType<Answer>;
  results(answer: Answer): SearchResult[];
}

interface SearchRequest {
  /** Below the address of the service. */
  path: string;
  headers?: Record<string, string>;
  /** Sent as JSON by POST; without it the request is a GET. */
  body?: object;
}

/**
 * A search backend over HTTP. It connects to public addresses and to those that the host named. It follows no redirect, so that
 * the key goes only to the service.
 */
export function searchService<Answer>(
  wire: SearchWire<Answer>,
  { timeout = 20_000, allow = [], lookup }: SearchServiceOptions,
): SearchBackend {
  const base = wire.url.replace(/\/+$/, "");
  const host = hostOf(checkUrl(base, anywhere));
  const guard = createAddressGuard(isOwnHost(host) ? [...allow, host] : allow);
  checkKey(wire);
  checkLimits({ timeout });

  async function ask({ path, headers, body }: SearchRequest, signal: AbortSignal): Promise<Answer> {
    const request: WebRequest = {
      url: checkUrl(base + path, guard),
      method: body ? "POST" : "GET",
      headers: { ...fixedHeaders, ...(body && { "content-type": "application/json" }), ...headers },
      body: body && JSON.stringify(body),
      signal,
    };
    const response = await exchange(request, guard, lookup);
    try {
      checkStatus(wire.name, base, response);
      return parseAnswer(wire, base, (await readBody(response, base, mostBytes)).toString());
    } finally {
      response.destroy();
    }
  }

  return {
    name: wire.name,
    async search(query, { limit, signal }) {
      const request = wire.request(query, limit);
      const answer = await withDeadline({ url: base, timeout, signal }, (within) => ask(request, within));
      return wire.results(answer).slice(0, limit);
    },
  };
}

/** The host may name any service. Addresses are checked when a connection is made. */
const anywhere: AddressGuard = { admitsHost: () => true, admitsAddress: () => true };

const mostBytes = 2 ** 21;

const fixedHeaders = { "user-agent": userAgent, accept: "application/json", "accept-encoding": acceptedEncodings };

/** Node would throw an error that shows the key if a header cannot hold it. */
function checkKey({ name, apiKey }: { name: string; apiKey?: string | undefined }): void {
  if (apiKey === undefined || /^[\x21-\x7e]+$/.test(apiKey)) return;
  throw new WebError(
    "option_invalid",
    "",
    `The key for ${name} is empty or holds white space or other characters that no key has.`,
  );
}

function checkStatus(name: string, url: string, { statusCode: status = 0, headers }: IncomingMessage): void {
  if (status >= 200 && status < 300) return;
  const retryAfter = secondsToWait(headers["retry-after"]);
  const details = { status, ...(retryAfter !== undefined && { retryAfter }) };
  const message = `The search service ${name} answered ${status}: ${meaning(status, retryAfter)}`;
  throw new WebError("http_status", url, message, details);
}

function meaning(status: number, retryAfter: number | undefined): string {
  if (status === 401 || status === 403)
    return "it refuses the key, or what was asked. Tell the user that it must be configured anew.";
  if (status === 429)
    return `too many searches. Wait ${retryAfter === undefined ? "a while" : `${retryAfter} seconds`} before the next.`;
  if (status === 432 || status === 433) return "the plan's searches are used up. Tell the user.";
  if (status >= 500) return "it is out of order. Try again later.";
  if (status >= 300 && status < 400) return "it has moved. Tell the user that its address must be configured anew.";
  return "it does not take this query. Ask in other words, or fewer.";
}

function parseAnswer<Answer>({ name, apiKey, answer }: SearchWire<Answer>, url: string, text: string): Answer {
  const parsed = answer().safeParse(asJson(apiKey ? text.replaceAll(apiKey, "[key]") : text));
  if (parsed.success) return parsed.data;
  throw new WebError(
    "bad_response",
    url,
    `The search service ${name} answered with something else than results. Try again later.`,
  );
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
