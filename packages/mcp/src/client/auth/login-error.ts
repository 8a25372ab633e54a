import { brandErrors, hasErrorBrand } from "@cogency/protocol/host";

/**
 * - `login_needed`: there is no login, it has ended, or it lacks a scope; a person has to log in
 * - `refused`: the authorization server, or the person there, said no
 * - `wrong_server`: something would go to a server that it does not belong to: another issuer, resource or host, or an address that
 *   must not be asked. Nothing was sent.
 * - `bad_answer`: an answer that is unreadable, too large, or not what OAuth says
 * - `unsupported`: the authorization server lacks something that a login needs
 * - `unreachable`: a server did not answer, or not in time
 * - `expired`: nobody came back from the browser in time
 * - `unreadable_store`: the tokens cannot be read or written
 */
export type LoginErrorCode =
  | "login_needed"
  | "refused"
  | "wrong_server"
  | "bad_answer"
  | "unsupported"
  | "unreachable"
  | "expired"
  | "unreadable_store";

/** A login that failed, or is needed. INVARIANT: neither the message nor any other field holds a token, a code or a secret. */
export class LoginError extends Error {
  static {
    brandErrors(LoginError, "LoginError");
  }

  override readonly name: string = "LoginError";
  readonly code: LoginErrorCode;
  /** The code of OAuth, where the authorization server gave one: `invalid_grant`. */
  readonly reason: string | undefined;

  constructor(code: LoginErrorCode, message: string, options: { reason?: string | undefined; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.reason = options.reason;
  }
}

/** Whether an error is a LoginError, also one of another copy of this package. */
export function isLoginError(error: unknown): error is LoginError {
  return hasErrorBrand(error, "LoginError");
}

/** The LoginError in an error or one of its causes: the MCP SDK wraps what a request throws. */
export function loginErrorIn(error: unknown): LoginError | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    if (isLoginError(current)) return current;
    const { cause, data } = current as Error & { data?: { cause?: unknown } };
    current = cause ?? data?.cause;
  }
  return undefined;
}
