/** The command cannot be carried out as it was given; the message says what to give instead. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code = "usage";
}
