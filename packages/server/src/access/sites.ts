import { wrongOption } from "@cogency/protocol/options";
import { Problem } from "../problem.ts";

/**
 * The sites whose pages may ask: this one, and the origins that are listed. A browser sends the user's cookies with the requests of
 * every page, so a cookie does not say which page asks.
 */
export class Sites {
  readonly #origins: ReadonlySet<string>;

  /** @throws TypeError for what is no origin, such as `*` */
  constructor(origins: readonly string[]) {
    const wrong = origins.find((origin) => URL.parse(origin)?.origin !== origin || origin.includes("*"));
    if (wrong !== undefined)
      throw wrongOption(
        TypeError,
        "origins",
        `origins has ${JSON.stringify(wrong)}: name each origin, such as https://app.example.`,
      );
    this.#origins = new Set(origins);
  }

  /**
   * Refuses what a page of another site makes a browser ask for. Each browser names the page in `Sec-Fetch-Site` (over HTTPS and on
   * loopback) or, at least if the request changes something, in `Origin`. A program that is no browser names none.
   *
   * @throws Problem `cross_site`
   */
  check(request: Request): void {
    const { method, headers, url } = request;
    const origin = headers.get("origin");
    if (origin !== null && this.#origins.has(origin)) return;
    const site = headers.get("sec-fetch-site") ?? "same-origin";
    // A person who types an address comes from no page.
    const isOwnPage = site === "same-origin" || (site === "none" && method === "GET");
    const host = headers.get("host") ?? new URL(url).host;
    if (isOwnPage && (origin === null || isOrigin(origin, host))) return;
    // The browser has seen one host for both: a proxy is between them.
    const isBehindProxy = headers.get("sec-fetch-site") === "same-origin";
    throw new Problem(
      "cross_site",
      isBehindProxy
        ? "A proxy has changed `Host`, so the page is not of the host that it asks. Let the proxy keep `Host`, or list the origin of the page in `origins`."
        : "Pages of another origin may ask only if the server lists it in `origins`.",
    );
  }

  /** The headers that let a page of a listed origin read the response; none for another request. */
  sharing({ headers }: Request): Readonly<Record<string, string>> {
    const origin = headers.get("origin");
    if (origin === null || !this.#origins.has(origin)) return {};
    return {
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": "retry-after",
      vary: "origin",
    };
  }

  /** Answers what a browser asks before a page of a listed origin may post; undefined for another request. */
  preflight({ method, headers }: Request): Response | undefined {
    const origin = headers.get("origin");
    if (method !== "OPTIONS" || origin === null || !this.#origins.has(origin)) return undefined;
    return new Response(null, {
      status: 204,
      headers: {
        "access-control-allow-methods": "GET, POST, PATCH, DELETE",
        // A listed origin is trusted with every header, so that a token may come in any.
        "access-control-allow-headers": headers.get("access-control-request-headers") ?? "",
        "access-control-max-age": "600",
      },
    });
  }
}

/** Whether pages of the origin come from the host. The scheme is not compared, because a proxy may have ended TLS. */
function isOrigin(origin: string, host: string): boolean {
  const from = URL.parse(origin);
  return from !== null && from.host === URL.parse(`${from.protocol}//${host}`)?.host;
}
