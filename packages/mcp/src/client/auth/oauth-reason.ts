/** The error codes of OAuth and its extensions. Any other text may be something that a server repeats, such as a secret. */
const reasons = [
  "access_denied",
  "consent_required",
  "interaction_required",
  "invalid_client",
  "invalid_client_metadata",
  "invalid_grant",
  "invalid_redirect_uri",
  "invalid_request",
  "invalid_scope",
  "invalid_software_statement",
  "invalid_target",
  "login_required",
  "server_error",
  "slow_down",
  "temporarily_unavailable",
  "unapproved_software_statement",
  "unauthorized_client",
  "unsupported_grant_type",
  "unsupported_response_type",
  "unsupported_token_type",
];

/** The error code that a server gives, if OAuth defines it. */
export function oauthReason(error: unknown): string | undefined {
  return reasons.find((reason) => reason === error);
}
