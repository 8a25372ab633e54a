import { isSame, randomText } from "./secret-text.ts";

/**
 * Lets browsers in, one a token. A token that is used once gives a cookie, and both are worth nothing when the process has ended. The
 * cookie outlives the browser's own end, so that the page works again in this browser as long as the process runs.
 *
 * Browsers send the cookies of 127.0.0.1 to every port there, so another user of this machine could collect them with a server of
 * their own. For this reason the cookie is for a secret path, to which a browser sends it only if the address has that path: who has
 * the cookie alone, or the path alone, does not get in.
 */
export interface BrowserSession {
  /** 32 random bytes, for the fragment of an address. Who brings it first gets in. The one before it is void. */
  newToken(): string;
  /** Where the page and its API are, such as `/5f0c…`, without a slash at the end. */
  readonly path: string;
  /** The `Set-Cookie` for the first one who brings the token; undefined for a wrong token and for any later one. */
  enter(token: string): string | undefined;
  /** Whether a request for this path with this `Cookie` is from a browser that was let in. */
  admits(pathname: string, cookie: string | null): boolean;
}

/** @param port that of the server: the cookie is named after it, so that two of them at one time do not replace each other's */
export function createBrowserSession(port: string): BrowserSession {
  let token: string | undefined;
  const cookie = { name: `cogency-${port}`, value: randomText() };
  const path = `/${randomText()}`;
  let hasEntered = false;
  return {
    path,
    newToken() {
      token = randomText();
      return token;
    },
    enter(given) {
      if (token === undefined || !isSame(given, token)) return undefined;
      token = undefined;
      hasEntered = true;
      // Without `Secure`, which browsers do not all accept on loopback without TLS; no network sees this cookie.
      return `${cookie.name}=${cookie.value}; Path=${path}/; Max-Age=${longestStay}; HttpOnly; SameSite=Strict`;
    },
    admits(pathname, given) {
      const values = (given ?? "").split(";").map((pair) => pair.trim());
      // All are compared: a page on another port can set a cookie of this name beside it.
      const hasCookie = values.map((value) => isSame(value, `${cookie.name}=${cookie.value}`)).includes(true);
      const isOfPath = isSame(pathname.slice(0, path.length + 1), `${path}/`);
      return hasEntered && hasCookie && isOfPath;
    },
  };
}

/** Seconds that a browser keeps the cookie, over its own end: thirty days. */
const longestStay = 2_592_000;
