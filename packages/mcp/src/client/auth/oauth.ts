import { computeScopeUnion, isStrictScopeSuperset } from "@modelcontextprotocol/client";
import { authorize } from "./authorize.ts";
import { type Challenge, isScope, noChallenge } from "./challenge.ts";
import type { Consent } from "./consent.ts";
import { firstChallenge } from "./first-challenge.ts";
import { isLoginError, LoginError } from "./login-error.ts";
import { checkOAuthOptions, type OAuthOptions } from "./oauth-options.ts";
import { quoted } from "./quoted.ts";
import { renew } from "./renew.ts";
import { identityOf, type ServerLogin, serverLogin, type TokenSource } from "./server-login.ts";
import type { StoredLogin, TokenOwner } from "./token-store.ts";

/** A login of a person, who gives their consent in a browser. */
export interface OAuthLogin extends ServerLogin {
  /**
   * Lets the person log in, and keeps what they allowed.
   *
   * @throws LoginError; the reason of the signal
   */
  login(consent: Consent, options?: { signal?: AbortSignal | undefined }): Promise<void>;
  /** Forgets the login here. The authorization server is not told. */
  logout(): Promise<void>;
  status(): Promise<LoginStatus>;
}

export interface LoginStatus {
  readonly isLoggedIn: boolean;
  readonly issuer?: string | undefined;
  readonly scope?: string | undefined;
  /** When the access token ends, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
  /** Whether an access token that has ended is renewed without a person. */
  readonly isRenewable?: boolean | undefined;
}

/** Milliseconds before its end at which a token is renewed. */
const slack = 10_000;
/** A server that refuses each new token sends nobody to a browser more often than that in a minute. */
const mostConsents = 3;

/**
 * OAuth 2.1 for one MCP server, for the `auth` of `http`. Without a login a request fails with `login_needed`: no browser opens unless
 * somebody calls `login`, or the host gives a `consent`.
 *
 * @throws TypeError for wrong options
 */
export function oauth(options: OAuthOptions): OAuthLogin {
  const server = checkOAuthOptions(options);
  const { store, user, client = {}, consent } = options;
  const fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const owner: TokenOwner = { server: identityOf(server), ...(user !== undefined && { user }) };
  const endless = new AbortController().signal;
  let consenting: Promise<StoredLogin> | undefined;
  let consents: number[] = [];

  async function askPerson(by: Consent, asked: Asked, signal = endless): Promise<StoredLogin> {
    const login = await authorize({
      server,
      fetch,
      client,
      consent: by,
      challenge: asked.challenge,
      scope: asked.scope,
      defaultScope: options.scope,
      signal,
    });
    await store.exclusive(owner, () => store.save(owner, login));
    return login;
  }

  /** Requests that need a login at the same time share one. */
  function loginFor(asked: Asked): Promise<StoredLogin> {
    if (!consent) throw new LoginError("login_needed", `${server.host} needs a login.`);
    consenting ??= limited(consent, asked).finally(() => {
      consenting = undefined;
    });
    return consenting;
  }

  async function limited(by: Consent, asked: Asked): Promise<StoredLogin> {
    const now = Date.now();
    consents = [...consents.filter((time) => time > now - 60_000), now];
    if (consents.length > mostConsents) throw new LoginError("refused", `${server.host} refuses each new login.`);
    return askPerson(by, asked);
  }

  /** The login as it is, or renewed if it is still the refused one. */
  function renewed(refused: string, challenge: Challenge): Promise<StoredLogin | undefined> {
    return store.exclusive(owner, async () => {
      const login = await store.load(owner);
      if (!login || login.accessToken !== refused) return login;
      const next = await renew(login, { server, fetch, issuer: client.issuer, challenge, signal: endless }).catch(
        forget,
      );
      await store.save(owner, next);
      return next;
    });
  }

  /** A login that is over goes, so that nobody takes it for one. */
  async function forget(error: unknown): Promise<never> {
    if (isLoginError(error) && error.code === "login_needed") await store.remove(owner);
    throw error;
  }

  const source: TokenSource = {
    async token() {
      const login = await store.load(owner);
      if (!login || (login.expiresAt ?? Number.POSITIVE_INFINITY) > Date.now() + slack) return login?.accessToken;
      if (login.refreshToken === undefined) return login.accessToken;
      const next = await renewed(login.accessToken, noChallenge).catch(unlessLoginNeeded);
      return next?.accessToken;
    },
    async renew(refused, challenge) {
      const renewing = refused === undefined ? store.load(owner) : renewed(refused, challenge);
      const login = await (consent ? renewing.catch(unlessLoginNeeded) : renewing);
      if (login) return;
      const scope = consent && (await store.load(owner))?.wanted;
      await loginFor({ challenge, scope });
    },
    async widen(refused, challenge) {
      const login = await store.load(owner);
      const scope = computeScopeUnion(login?.wanted, login?.scope, challenge.scope);
      // What is wanted is kept, and a server could want more each time.
      if (scope !== undefined && !isScope(scope)) throw tooManyScopes(server);
      if (login && login.accessToken !== refused && !isStrictScopeSuperset(scope, login.scope))
        return login.accessToken;
      if (login && !isStrictScopeSuperset(scope, login.scope)) throw uselessScope(server);
      if (!consent && login) await store.exclusive(owner, () => store.save(owner, { ...login, wanted: scope }));
      if (!consent) throw scopeNeeded(server, challenge.scope);
      return (await loginFor({ challenge, scope })).accessToken;
    },
  };

  return {
    ...serverLogin(server, source),
    async login(by, { signal = endless } = {}) {
      const challenge = await firstChallenge(server, fetch, signal);
      const wanted = (await store.load(owner))?.wanted;
      await askPerson(by, { challenge, scope: computeScopeUnion(challenge.scope, wanted) }, signal);
    },
    logout: () => store.exclusive(owner, () => store.remove(owner)),
    async status() {
      const login = await store.load(owner);
      if (!login) return { isLoggedIn: false };
      const { issuer, scope, expiresAt, refreshToken } = login;
      return { isLoggedIn: true, issuer, scope, expiresAt, isRenewable: refreshToken !== undefined };
    },
  };
}

interface Asked {
  readonly challenge: Challenge;
  readonly scope: string | undefined;
}

function unlessLoginNeeded(error: unknown): undefined {
  if (isLoginError(error) && error.code === "login_needed") return undefined;
  throw error;
}

function scopeNeeded({ host }: URL, scope: string | undefined): LoginError {
  return new LoginError(
    "login_needed",
    `${host} wants a login that allows more: ${quoted(scope ?? "")}. Log in again.`,
  );
}

function tooManyScopes({ host }: URL): LoginError {
  return new LoginError("refused", `${host} has asked for more scopes than a login can have.`);
}

function uselessScope({ host }: URL): LoginError {
  return new LoginError("refused", `${host} asks for a scope that its login has.`);
}
