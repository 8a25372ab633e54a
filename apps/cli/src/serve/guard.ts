import type { Handler } from "@cogency/server";
import type { BrowserSession } from "./browser-session.ts";
import { entrance, sessionPath } from "./entrance.ts";
import type { WebPage } from "./web-page.ts";

export interface Guarded {
  /** As browsers name the server, such as `127.0.0.1:8080`. */
  host: string;
  session: BrowserSession;
  /** What a browser that was let in gets. */
  page: WebPage;
  /** Answers below the path of the session. */
  api: Handler;
  /** Called when a browser was let in. */
  onEntered(): void;
}

/**
 * Lets browsers of this machine in, one a link, and no other page of such a browser:
 *
 * - `GET /`: the entrance, for everybody
 * - `POST /session`: exchanges a token for the cookie, once
 * - `GET <path of the session>/`: the page; below it the API. Both need the cookie.
 *
 * Each request must name the host, so that no foreign name that leads here (DNS rebinding) gets an answer, and must not come from a page
 * of another origin. That holds for the stream of events, too.
 */
export function createGuard(guarded: Guarded): Handler {
  const { host, session, page, api, onEntered } = guarded;
  const origin = `http://${host}`;
  const door = entrance();

  async function answer(request: Request): Promise<Response> {
    const { method, headers } = request;
    const { pathname } = new URL(request.url);
    if (headers.get("host") !== host) return refusal(421, "wrong_host", `Open ${origin} instead.`);
    if (isFromElsewhere(request, origin)) return refusal(403, "forbidden", "Only the page itself may ask for this.");
    // A link from anywhere may lead to the entrance: it holds nothing.
    if (method === "GET" && pathname === "/") return htmlResponse(200, door);
    if (isOfOtherSite(request)) return refusal(403, "forbidden", "Only the page itself may ask for this.");
    if (method === "POST" && pathname === sessionPath) return exchange(headers.get("authorization") ?? "");
    if (!session.admits(pathname, headers.get("cookie"))) {
      const isForPerson = method === "GET" && headers.get("accept")?.includes("text/html");
      if (isForPerson) return htmlResponse(401, door);
      return refusal(
        401,
        "unauthorized",
        "This page has no session any more. Press Enter where cogency open runs, or start it again, and open the link that it prints.",
      );
    }
    if (method === "GET" && pathname === `${session.path}/`) return htmlResponse(200, page);
    return api(request);
  }

  function exchange(authorization: string): Response {
    const cookie = session.enter(authorization.replace(/^Bearer /, ""));
    if (cookie === undefined) return refusal(403, "forbidden", notAdmitted);
    onEntered();
    return Response.json({ path: session.path }, { headers: { "set-cookie": cookie } });
  }

  return async (request) => {
    const response = await answer(request);
    for (const [name, value] of fixed) if (!response.headers.has(name)) response.headers.set(name, value);
    return response;
  };
}

const notAdmitted =
  "This link was used already in another browser, or it is not of this cogency open. If it was not you who used it, end cogency open with Ctrl-C. For a new link, press Enter where cogency open runs, or start it again.";

/** Browsers name the page that asks, in every request that changes something; `null` is a page that hides its origin. */
function isFromElsewhere({ method, headers }: Request, origin: string): boolean {
  const from = headers.get("origin");
  return from === null ? method !== "GET" : from !== origin;
}

/** A page of another site or port. What a person typed, or opened from elsewhere, comes from `none`. */
function isOfOtherSite({ method, headers }: Request): boolean {
  const site = headers.get("sec-fetch-site") ?? "same-origin";
  return site !== "same-origin" && !(site === "none" && method === "GET");
}

function htmlResponse(status: number, { html, policy }: WebPage): Response {
  return new Response(html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `${policy}; frame-ancestors 'none'`,
    },
  });
}

function refusal(status: number, code: string, message: string): Response {
  return Response.json({ code, message }, { status });
}

/** Of every response. */
const fixed = new Map([
  ["cache-control", "no-store"],
  ["content-security-policy", "default-src 'none'; frame-ancestors 'none'"],
  ["cross-origin-opener-policy", "same-origin"],
  ["cross-origin-resource-policy", "same-origin"],
  ["referrer-policy", "no-referrer"],
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
]);
