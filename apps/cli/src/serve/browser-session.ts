import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * Lets one browser in. A token that is used once gives a cookie, and both end with the process.
 *
 * Browsers send the cookies of 127.0.0.1 to every port there, so another user of this machine could collect them with a server of
 * their own. For this reason the cookie is for a secret path, to which a browser sends it only if the address has that path: who has
 * the cookie alone, or the path alone, does not get in.
 */
export interface BrowserSession {
  /** 32 random bytes, for the fragment of an address. Who brings it first gets in. */
  readonly token: string;
  /** Where the page and its API are, such as `/5f0c…`, without a slash at the end. */
  readonly path: string;
  /** The `Set-Cookie` for the first one who brings the token; undefined for a wrong token and for any later one. */
  enter(token: string): string | undefined;
  /** Whether a request for this path with this `Cookie` is from the browser that was let in. */
  admits(pathname: string, cookie: string | null): boolean;
}

/** @param port that of the server: the cookie is named after it, so that two of them at one time do not replace each other's */
export function createBrowserSession(port: string): BrowserSession {
  const token = randomText();
  const cookie = { name: `cogency-${port}`, value: randomText() };
  const path = `/${randomText()}`;
  let isUsed = false;
  return {
    token,
    path,
    enter(given) {
      if (isUsed || !isSame(given, token)) return undefined;
      isUsed = true;
      // Without `Secure`, which browsers do not all accept on loopback without TLS; no network sees this cookie.
      return `${cookie.name}=${cookie.value}; Path=${path}/; HttpOnly; SameSite=Strict`;
    },
    admits(pathname, given) {
      const values = (given ?? "").split(";").map((pair) => pair.trim());
      // All are compared: a page on another port can set a cookie of this name beside it.
      const hasCookie = values.map((value) => isSame(value, `${cookie.name}=${cookie.value}`)).includes(true);
      const isOfPath = isSame(pathname.slice(0, path.length + 1), `${path}/`);
      return isUsed && hasCookie && isOfPath;
    },
  };
}

function randomText(): string {
  return randomBytes(32).toString("base64url");
}

/** Takes as long wherever the texts differ. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(hashOf(given), hashOf(expected));
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
