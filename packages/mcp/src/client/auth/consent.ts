/** A way to let a person allow something at an authorization server. `loopback` of `@cogency/mcp/node` makes one. */
export interface Consent {
  /** Where the authorization server sends the person back to: `http://127.0.0.1:51234/callback`. */
  readonly redirectUrl: string;
  /**
   * Sends the person to `address`, and resolves with the query of the address with which they come back. What it returns is checked by
   * the caller.
   *
   * @throws LoginError `expired`; the reason of the signal
   */
  authorize(address: URL, options: ConsentOptions): Promise<URLSearchParams>;
}

export interface ConsentOptions {
  /** Comes back with the answer that belongs to this question. Others are to be ignored. */
  readonly state: string;
  readonly signal: AbortSignal;
}
