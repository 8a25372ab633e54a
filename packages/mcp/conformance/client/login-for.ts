import { type Consent, clientCredentials, memoryTokens, oauth, type ServerLogin } from "../../src/index.ts";

/** What the suite says about a program that is known already. */
export interface LoginContext {
  client_id?: string;
  client_secret?: string;
  private_key_pem?: string;
  signing_algorithm?: string;
  issuer?: string;
}

/** The login of a scenario. A person stands at the browser, who allows everything. */
export function loginFor(server: URL, context: LoginContext): ServerLogin {
  const { client_id: id, client_secret: secret, private_key_pem: privateKey, issuer, signing_algorithm } = context;
  if (id !== undefined && privateKey !== undefined && issuer !== undefined) {
    return clientCredentials({ server: server.href, issuer, id, privateKey, algorithm: signing_algorithm });
  }
  const isKnown = id !== undefined && issuer !== undefined;
  return oauth({
    server: server.href,
    store: memoryTokens(),
    consent: willing,
    client: {
      name: "cogency-conformance",
      metadataUrl: "https://conformance-test.local/client-metadata.json",
      ...(isKnown && { id, secret, issuer }),
    },
  });
}

/** Follows the redirect that a browser would follow. */
const willing: Consent = {
  redirectUrl: "http://127.0.0.1:45454/callback",
  async authorize(address) {
    const response = await fetch(address, { redirect: "manual" });
    return new URL(response.headers.get("location") ?? "", address).searchParams;
  },
};
