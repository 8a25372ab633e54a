/** The command line is wrong; the message says what to give instead. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code = "usage";
}
