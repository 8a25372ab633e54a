/**
 * Terminals that a person sees, such as those of an editor. A command in one of them has the rights of the person: `shell` uses them only
 * where it has no sandbox.
 */
export interface Terminals {
  /** Starts a program. @throws Error if it cannot; then nothing runs */
  start(command: TerminalCommand, signal?: AbortSignal): Promise<Terminal>;
}

/** A program to start in a terminal. */
export interface TerminalCommand {
  readonly command: string;
  readonly args?: readonly string[];
  /** Beside the variables that the terminal has by itself. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd?: string;
  /** Of the output, the last bytes that are kept. */
  readonly outputBytes?: number;
}

/** A program that runs or has run in a terminal. */
export interface Terminal {
  /** By this id the terminal can be shown. */
  readonly id: string;
  /** What is kept of stdout and stderr together. `isCut`: it had more before. */
  output(): Promise<{ readonly text: string; readonly isCut: boolean }>;
  /** Resolves when the program has ended: with its exit code, or the signal that ended it. */
  ended(signal?: AbortSignal): Promise<{ readonly code?: number | undefined; readonly signal?: string | undefined }>;
  /** Ends the program; its output stays. */
  kill(): Promise<void>;
  /** Ends the program and forgets it. Called once for each terminal. */
  release(): Promise<void>;
}

/** Progress of a call of `shell`: its command runs in this terminal. */
export interface TerminalShown {
  type: "terminal";
  /** As {@link Terminal.id}. */
  id: string;
}
