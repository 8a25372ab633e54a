/** A key is missing. The editor offers the ways of `AcpOptions.authentication`. The message says which key, and how to set it. */
export class AuthenticationNeeded extends Error {
  readonly code = "authentication_needed";
  override readonly name = "AuthenticationNeeded";
}
