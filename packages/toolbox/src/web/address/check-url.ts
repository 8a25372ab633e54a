import { WebError } from "../web-error.ts";
import { type AddressGuard, hostOf } from "./address-guard.ts";

/**
 * Parses and checks a URL that may be requested. The WHATWG parser turns every spelling of an address into one.
 *
 * @throws WebError `url_invalid`, `scheme_refused`, `address_refused`
 */
export function checkUrl(text: string, guard: AddressGuard, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (!url) throw new WebError("url_invalid", shownUrl(text), `"${shownUrl(text)}" is not a URL. ${urlAdvice}`);
  const shown = shownUrl(url.href);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new WebError("scheme_refused", shown, `"${shown}" is neither http nor https. ${urlAdvice}`);
  }
  if (base?.protocol === "https:" && url.protocol === "http:") {
    throw new WebError(
      "scheme_refused",
      shown,
      `The page redirects from https to http, to "${shown}", which is refused.`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new WebError("url_invalid", shown, `A URL with a user name or password is refused: use "${shown}".`);
  }
  if (!guard.admitsHost(hostOf(url))) throw unreachable("address_refused", url);
  return url;
}

const urlAdvice = 'Give a whole address, such as "https://example.com/page".';

/** Unknown names and inner addresses get the same message, because the difference would reveal which inner names exist. */
export function unreachable(code: "address_refused" | "not_found", url: URL): WebError {
  return new WebError(
    code,
    shownUrl(url.href),
    `"${hostOf(url)}" does not lead to a public address: the name is unknown, or it belongs to a network that may not be reached from here. Check the spelling, or use another source.`,
  );
}

/** A URL for errors: without user name and password, at most 300 characters. */
export function shownUrl(text: string): string {
  const bare = text.trim().replace(/^((?:[a-z][a-z0-9+.-]*:)?[/\\]*)[^/?#\\]*@/i, "$1");
  return bare.length > 300 ? `${bare.slice(0, 300).toWellFormed()}…` : bare;
}
