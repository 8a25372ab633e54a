/** What an editor asks for cannot be, such as a session in a folder that does not exist. The message says what is wrong with it. */
export class RequestRefused extends Error {
  readonly code = "request_refused";
  override readonly name = "RequestRefused";
}
