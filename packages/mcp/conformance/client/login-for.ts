import { env } from "node:process";
import { type Consent, clientCredentials, memoryTokens, oauth, type ServerLogin } from "../../src/index.ts";

/** What the suite says about a program that is known already. */
export interface LoginContext {
  client_id?: string;
  client_secret?: string;
  private_key_pem?: string;
  signing_algorithm?: string;
  issuer?: string;
}

/** The login of a scenario: of the program itself where the suite tests that, else of a person who allows everything. */
export async function loginFor(server: URL, context: LoginContext): Promise<ServerLogin> {
  const { client_id: id, client_secret: secret, private_key_pem: privateKey, signing_algorithm: algorithm } = context;
  if (id !== undefined && env.MCP_CONFORMANCE_SCENARIO?.startsWith("auth/client-credentials")) {
    const issuer = await issuerOf(server);
    return clientCredentials({ server: server.href, issuer, id, secret, privateKey, algorithm });
  }
  const { issuer } = context;
  return oauth({
    server: server.href,
    store: memoryTokens(),
    consent: willing,
    client: {
      name: "cogency-conformance",
      metadataUrl: "https://conformance-test.local/client-metadata.json",
      ...(id !== undefined && issuer !== undefined && { id, secret, issuer }),
    },
  });
}

/** The suite does not say which authorization server knows the program: the one that its server names. */
async function issuerOf(server: URL): Promise<string> {
  const response = await fetch(new URL(`/.well-known/oauth-protected-resource${server.pathname}`, server));
  const { authorization_servers: servers } = (await response.json()) as { authorization_servers: string[] };
  return servers[0] ?? "";
}

/** Follows the redirect that a browser would follow. */
const willing: Consent = {
  redirectUrl: "http://127.0.0.1:45454/callback",
  async authorize(address) {
    const response = await fetch(address, { redirect: "manual" });
    await response.body?.cancel();
    return new URL(response.headers.get("location") ?? "", address).searchParams;
  },
};
