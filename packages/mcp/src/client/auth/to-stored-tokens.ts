import type { OAuthTokens } from "@modelcontextprotocol/client";
import { isScope } from "./challenge.ts";
import { LoginError } from "./login-error.ts";
import type { StoredLogin } from "./token-store.ts";

type StoredTokens = Pick<StoredLogin, "accessToken" | "refreshToken" | "scope" | "expiresAt">;

const longest = 16_384;

/**
 * What is kept of the tokens that an authorization server has made.
 *
 * @param asked the scopes that were asked for: those that were given, if the server does not say
 * @throws LoginError `bad_answer` for tokens that cannot stand in a header
 */
export function toStoredTokens(tokens: OAuthTokens, asked: string | undefined): StoredTokens {
  const { access_token: accessToken, refresh_token: refreshToken, token_type: type, expires_in: seconds } = tokens;
  if (type.toLowerCase() !== "bearer") throw unusable("of a type that is not supported");
  if (!/^[\x21-\x7e]+$/.test(accessToken) || accessToken.length > longest) throw unusable("that is none");
  if (refreshToken !== undefined && refreshToken.length > longest) throw unusable("to renew it that is too long");
  return {
    accessToken,
    refreshToken,
    scope: isScope(tokens.scope) ? tokens.scope : asked,
    expiresAt: seconds === undefined || !(seconds > 0) ? undefined : Date.now() + Math.min(seconds, 1e9) * 1000,
  };
}

function unusable(problem: string): LoginError {
  return new LoginError("bad_answer", `The authorization server gave a token ${problem}.`);
}
