import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { checkDiscovery, checkPkce, type Discovery } from "./check-discovery.ts";
import { LoginError } from "./login-error.ts";
import type { OAuthClient } from "./oauth-options.ts";

export interface FlowOptions {
  readonly server: URL;
  readonly client: OAuthClient;
  readonly redirectUrl: string;
  readonly scope: string | undefined;
}

/** What the SDK reads and writes while one person logs in. It knows no earlier login. */
export class AuthorizationFlow implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  /** Comes back with the answer. */
  readonly expectedState: string = randomText();
  /** Where the person is sent. */
  address: URL | undefined;
  registered: StoredOAuthClientInformation | undefined;
  received: StoredOAuthTokens | undefined;
  found: Discovery | undefined;
  readonly #server: URL;
  readonly #client: OAuthClient;
  #discovery: OAuthDiscoveryState | undefined;
  #verifier: string | undefined;

  constructor({ server, client, redirectUrl, scope }: FlowOptions) {
    this.#server = server;
    this.#client = client;
    this.redirectUrl = redirectUrl;
    this.clientMetadata = {
      client_name: client.name ?? "Cogency",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      ...(scope && { scope }),
    };
  }

  get clientMetadataUrl(): string {
    return this.#client.metadataUrl ?? "";
  }

  state(): string {
    return this.expectedState;
  }

  clientInformation(context?: OAuthClientInformationContext): StoredOAuthClientInformation | undefined {
    const { id, secret, issuer = context?.issuer } = this.#client;
    if (id === undefined) return this.registered;
    return { client_id: id, ...(secret !== undefined && { client_secret: secret }), ...(issuer && { issuer }) };
  }

  saveClientInformation(information: StoredOAuthClientInformation): void {
    this.registered = information;
  }

  tokens(): undefined {}

  saveTokens(tokens: StoredOAuthTokens): void {
    this.received = tokens;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.found = checkDiscovery(discovery, this.#server, this.#client.issuer);
    checkPkce(discovery);
    this.#discovery = discovery;
  }

  redirectToAuthorization(address: URL): void {
    this.address = address;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    if (this.#verifier === undefined) throw new LoginError("bad_answer", "The login has no verifier yet.");
    return this.#verifier;
  }
}

function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes)).replace(
    /[+/=]/g,
    (character) => ({ "+": "-", "/": "_" })[character] ?? "",
  );
}
