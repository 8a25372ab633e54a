import type { JsonObject } from "@cogency/protocol";
import { UsageError } from "../../base/errors/usage-error.ts";

/**
 * A test for the `url` of a call: `docs.example.org` is this host at the port of its scheme, `docs.example.org:8080` at
 * this one, and `*.example.org` every host below that one.
 *
 * @throws UsageError for a value that is not a host
 */
export function hostRule(pattern: string): (args: JsonObject) => boolean {
  const text = pattern.trim();
  const isBelow = text.startsWith("*.");
  const { hostname, port } = asUrl(isBelow ? text.slice(2) : text) ?? refused();
  return ({ url }) => {
    const asked = typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined;
    if (asked?.protocol !== "https:" && asked?.protocol !== "http:") return false;
    if (asked.port !== port || asked.username !== "" || asked.password !== "") return false;
    return isBelow ? asked.hostname.endsWith(`.${hostname}`) : asked.hostname === hostname;
  };
}

/** A host as addresses spell it; undefined for a text that is not a host with an optional port. */
function asUrl(host: string): URL | undefined {
  if (!/^[^\s/\\?#@*]+$/.test(host)) return undefined;
  const address = `https://${host}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  // Refused, because a URL of https drops its default port, and the rule could not be told from one without it.
  return /:443$/.test(host) ? undefined : url;
}

function refused(): never {
  throw new UsageError(
    "--allow: scrape takes a host, such as scrape:docs.example.org, scrape:localhost:8080 or scrape:*.example.org.",
  );
}
