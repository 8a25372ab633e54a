/**
 * Says at the beginning of a run what follows the agent's instructions in all requests of that run, such as what is remembered of its
 * user. The agents that its calls start do not get it.
 *
 * It gets 5 s. If it throws, takes longer or returns something else, the run goes on without it, and an `error` event
 * `instructions_failed` says so.
 *
 * @returns undefined or an empty text for nothing
 */
export type InstructionsOfRun = (
  run: InstructedRun,
) => string | RunInstructions | undefined | Promise<string | RunInstructions | undefined>;

/** The run that the instructions are for. */
export interface InstructedRun {
  readonly conversation: string;
  readonly user: string | undefined;
  /** The `scope` of the agent. */
  readonly scope: string | undefined;
  /** Aborts with the run, or when the time for the instructions is over. */
  readonly signal: AbortSignal;
}

/** Instructions that no log may keep. */
export interface RunInstructions {
  /** What the model reads. */
  readonly text: string;
  /** What `request` records hold in its place; their hash of the system prompt covers this. */
  readonly recorded: string;
}
