import type { AuthInfo } from "@modelcontextprotocol/server";
import type { McpCaller, McpOffer, McpProtectedResource } from "../offer.ts";
import { httpError } from "./http-error.ts";
import { refused } from "./message-problem.ts";

const wellKnown = "/.well-known/oauth-protected-resource";

export interface Login {
  /** The metadata of the protected resource, if the request asks for that. */
  metadata(request: Request): Response | undefined;
  /** Whose request it is, or the refusal. */
  caller(request: Request): Promise<{ caller: McpCaller | undefined } | { refusal: Response }>;
}

export function login({ authenticate, protectedResource }: McpOffer, onError: (error: Error) => void): Login {
  const needed = protectedResource?.scopes ?? [];
  return {
    metadata(request) {
      if (!protectedResource || request.method !== "GET") return undefined;
      const { pathname } = new URL(request.url);
      if (pathname !== wellKnown && pathname !== wellKnown + pathOf(protectedResource)) return undefined;
      return Response.json(metadataOf(protectedResource), { headers: { "access-control-allow-origin": "*" } });
    },
    async caller(request) {
      if (!authenticate) return { caller: undefined };
      const caller = await authenticated(authenticate, request, onError);
      if (caller === "failed") return { refusal: httpError(refused(500, "The caller could not be checked.", -32603)) };
      if (!caller) return { refusal: challenge(401, "Log in to use this server.", protectedResource) };
      const lacking = needed.filter((scope) => !caller.scopes?.includes(scope));
      if (lacking.length === 0) return { caller };
      const message = `The caller lacks ${lacking.join(" ")}.`;
      return { refusal: challenge(403, message, protectedResource, 'error="insufficient_scope"') };
    },
  };
}

/** The caller as it travels through the SDK, which wants a token: nobody behind the door gets it. */
export function authInfoOf(caller: McpCaller | undefined): AuthInfo | undefined {
  if (!caller) return undefined;
  return { token: "", clientId: caller.user, scopes: [...(caller.scopes ?? [])], extra: { user: caller.user } };
}

async function authenticated(
  authenticate: NonNullable<McpOffer["authenticate"]>,
  request: Request,
  onError: (error: Error) => void,
): Promise<McpCaller | undefined | "failed"> {
  try {
    // Without the body, which is read once, within its limits.
    const { url, method, headers, signal } = request;
    const caller = await authenticate(new Request(url, { method, headers, signal }));
    return typeof caller?.user === "string" ? caller : undefined;
  } catch (error) {
    onError(error instanceof Error ? error : new Error(String(error)));
    return "failed";
  }
}

function challenge(
  status: number,
  message: string,
  resource: McpProtectedResource | undefined,
  ...more: string[]
): Response {
  const metadata = resource && [
    `resource_metadata="${new URL(wellKnown + pathOf(resource), resource.resource).href}"`,
    ...(resource.scopes?.length ? [`scope="${resource.scopes.join(" ")}"`] : []),
  ];
  const parameters = [...more, ...(metadata ?? [])].join(", ");
  return httpError(refused(status, message, -32000), undefined, { "www-authenticate": `Bearer ${parameters}`.trim() });
}

function pathOf({ resource }: McpProtectedResource): string {
  const { pathname } = new URL(resource);
  return pathname === "/" ? "" : pathname;
}

function metadataOf({ resource, authorizationServers, scopes, name }: McpProtectedResource) {
  return {
    resource,
    authorization_servers: authorizationServers,
    ...(scopes && { scopes_supported: scopes }),
    ...(name !== undefined && { resource_name: name }),
    bearer_methods_supported: ["header"],
  };
}
