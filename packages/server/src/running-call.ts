/** A call that runs now, in a process that the host knows of. */
export interface RunningCall {
  /** The id of the call, as in the log. */
  readonly id: string;
  /** The last line of what it has printed, or what it asks for; empty if it has said nothing. No log holds it. */
  readonly line: string;
}
