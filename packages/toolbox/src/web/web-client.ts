import { type IncomingMessage, STATUS_CODES } from "node:http";
import { checkOptionsOf } from "../options.ts";
import { createAddressGuard } from "./address/address-guard.ts";
import { checkUrl, shownUrl } from "./address/check-url.ts";
import { type PageType, parseContentType } from "./request/content-type.ts";
import { decodeText } from "./request/decode-text.ts";
import { checkLimits, exchange, type Lookup, secondsToWait, userAgent } from "./request/exchange.ts";
import { acceptedEncodings, readBody } from "./request/read-body.ts";
import { withDeadline } from "./request/with-deadline.ts";
import { WebError } from "./web-error.ts";

export interface WebOptions {
  /** Hosts, addresses and ranges such as `10.1.0.0/16` that may be reached although they are not public; defaults to none. */
  allow?: readonly string[] | undefined;
  /** Milliseconds for one request with all its redirects, to the last byte; defaults to 20,000. */
  timeout?: number | undefined;
  /** The largest body in bytes, unpacked; defaults to 2 MiB. */
  maxBytes?: number | undefined;
  /** Resolves host names; defaults to the system's resolver. Its answers are checked like all addresses. */
  lookup?: Lookup | undefined;
}

export interface WebPage {
  /** The address of the page after all redirects. */
  url: string;
  type: PageType;
  text: string;
}

export interface GetOptions {
  signal?: AbortSignal | undefined;
  /** Called with each requested URL: the first and those of redirects. */
  onRequest?: ((url: string) => void) | undefined;
}

/** Fetches pages from the public internet, and from other addresses only if the host allows them. */
export interface WebClient {
  /**
   * Fetches the text at an http or https URL.
   *
   * @throws WebError; on abort the signal's reason
   * INVARIANT: no connection is made to an address that is neither public nor allowed, whatever the URL, the name
   * server or a redirect says.
   */
  get(url: string, options?: GetOptions): Promise<WebPage>;
}

/** @throws WebError `option_invalid` */
export function createWebClient(options: WebOptions = {}): WebClient {
  return webClientOf("createWebClient", options);
}

/** @param where the public function that is given the options */
export function webClientOf(where: "createWebClient" | "scrapeTool", options: WebOptions): WebClient {
  checkOptionsOf(where, options);
  const { allow = [], timeout = 20_000, maxBytes = 2 ** 21, lookup } = options;
  const guard = createAddressGuard(allow);
  checkLimits({ timeout, maxBytes });

  async function follow(start: URL, signal: AbortSignal, onRequest: GetOptions["onRequest"]): Promise<WebPage> {
    let url = start;
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      onRequest?.(url.href);
      const response = await exchange({ url, method: "GET", headers: requestHeaders, signal }, guard, lookup);
      try {
        const location = redirectOf(response);
        if (location === undefined) return await readPage(response, url, maxBytes);
        url = checkUrl(location, guard, url);
      } finally {
        response.destroy();
      }
    }
    const shown = shownUrl(start.href);
    const message = `"${shown}" redirects more than ${mostRedirects} times. Use another source.`;
    throw new WebError("too_many_redirects", shown, message);
  }

  return {
    async get(text, asked = {}) {
      checkOptionsOf("get", asked);
      const { signal, onRequest } = asked;
      const url = checkUrl(text, guard);
      return withDeadline({ url: shownUrl(url.href), timeout, signal }, (within) => follow(url, within, onRequest));
    },
  };
}

const mostRedirects = 5;

const requestHeaders = {
  "user-agent": userAgent,
  accept:
    "text/html, application/xhtml+xml, text/markdown, text/plain, application/json, application/xml;q=0.9, text/xml;q=0.9",
  "accept-encoding": acceptedEncodings,
};

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode) ? headers.location : undefined;
}

async function readPage(response: IncomingMessage, url: URL, maxBytes: number): Promise<WebPage> {
  const shown = shownUrl(url.href);
  checkStatus(response, shown);
  const contentType = parseContentType(response.headers["content-type"]);
  const { type, mediaType } = contentType;
  if (!type) {
    const what = [mediaType.slice(0, 100) || "no content type", sizeOf(response)].filter(Boolean).join(", ");
    const message = `"${shown}" is not text that can be read (${what}). HTML, plain text, Markdown, JSON and XML can.`;
    throw new WebError("content_type", shown, message);
  }
  const text = decodeText(await readBody(response, shown, maxBytes), contentType);
  return { url: url.href, type, text };
}

function sizeOf({ headers }: IncomingMessage): string {
  const length = Number(headers["content-length"]);
  return Number.isSafeInteger(length) ? `${length} bytes` : "";
}

function checkStatus({ statusCode: status = 0, headers }: IncomingMessage, url: string): void {
  if (status >= 200 && status < 300) return;
  const retryAfter = secondsToWait(headers["retry-after"]);
  const answer = [status, STATUS_CODES[status]].filter(Boolean).join(" ");
  const details = { status, ...(retryAfter !== undefined && { retryAfter }) };
  throw new WebError("http_status", url, `"${url}" answered ${answer}. ${advice(status, retryAfter)}`, details);
}

function advice(status: number, retryAfter: number | undefined): string {
  if (retryAfter !== undefined) return `It asks to wait ${retryAfter} seconds.`;
  if (status === 404 || status === 410) return "The page is not there: check the address, or search for it.";
  if (status === 401 || status === 403 || status === 407)
    return "The page is not open to everyone: use another source.";
  if (status === 429 || status >= 500) return "Try again later, or use another source.";
  return "Use another address.";
}
