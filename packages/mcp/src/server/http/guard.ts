import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import type { McpOffer } from "../offer.ts";
import { httpError } from "./http-error.ts";
import { refused } from "./message-problem.ts";

/** Refuses requests that a web page sends behind the back of a person: by a wrong name of the host, or from a page elsewhere. */
export function guard({
  allowedHosts = [],
  allowedOrigins = [],
}: McpOffer): (request: Request) => Response | undefined {
  const hosts = [...localhostAllowedHostnames(), ...allowedHosts];
  const origins = [...localhostAllowedOrigins(), ...allowedOrigins];
  return ({ headers, url }) => {
    // A `Request` that no HTTP server has made has no such header.
    const host = validateHostHeader(headers.get("host") ?? new URL(url).host, hosts);
    if (!host.ok) return forbidden("the host by which it addresses the server");
    return validateOriginHeader(headers.get("origin"), origins).ok ? undefined : forbidden("the page that sends it");
  };
}

function forbidden(what: string): Response {
  return httpError(
    refused(403, `The request is refused because of ${what}. The server names those that it allows.`, -32000),
  );
}
