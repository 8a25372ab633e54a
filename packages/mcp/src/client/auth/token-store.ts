/** Where logins are kept. `memoryTokens` and, from `@cogency/mcp/node`, `tokenFile` make one. */
export interface TokenStore {
  load(owner: TokenOwner): Promise<StoredLogin | undefined>;
  /** Replaces what was kept for this owner. */
  save(owner: TokenOwner, login: StoredLogin): Promise<void>;
  remove(owner: TokenOwner): Promise<void>;
  /**
   * Does work while nobody else does work for this owner, also in no other process that shares the store: of two terminals that find an
   * expired token one renews it, and the other one finds it renewed.
   */
  exclusive<T>(owner: TokenOwner, work: () => Promise<T>): Promise<T>;
}

/** INVARIANT: a login is used for this server and this user, and for no other. */
export interface TokenOwner {
  /** Origin and path of the MCP server: `https://mcp.example.com/mcp`. */
  readonly server: string;
  /** Whom the login belongs to, where a program has several users. Defaults to the only one. */
  readonly user?: string | undefined;
}

/** What a login leaves behind: JSON, and secret. */
export interface StoredLogin {
  /** The issuer of the authorization server that made the tokens. They go to no other. */
  readonly issuer: string;
  /** The resource that the tokens are for, where the server names one. */
  readonly resource?: string | undefined;
  /** Where the server keeps its metadata, where that is not the usual place. */
  readonly metadata?: string | undefined;
  readonly client: StoredClient;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** Scopes, divided by blanks. */
  readonly scope?: string | undefined;
  /** When the access token ends, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
  /** Scopes that the server has asked for since: the next login asks for them. */
  readonly wanted?: string | undefined;
}

/** The program as the authorization server knows it. */
export interface StoredClient {
  readonly id: string;
  readonly secret?: string | undefined;
  /** Such as `client_secret_basic`. Chosen by what the server supports if absent. */
  readonly method?: string | undefined;
}
