/**
 * - `syntax_refused`: the command needs a shell, and this machine has neither bash nor sh
 * - `command_invalid`: empty, too long, an open quote, or a character that no command needs
 * - `program_not_found`, `program_not_executable`: nothing that can be run has that name
 * - `command_failed`: the program ended with an exit code other than 0, or by a signal; `exitCode` or `signal` says which, `stdout` and
 *   `stderr` hold what it printed
 * - `timeout`: the program was ended at its time limit; `stdout` and `stderr` hold what it had printed
 * - `cancelled`: the call was cancelled, and the program was ended; `stdout` and `stderr` hold what it had printed
 * - `start_failed`: the system could not start the program; `cause` is its error
 * - `terminal_failed`: a terminal of the host did not say how the command ended, or what it printed
 * - `isolation_unavailable`: a sandbox is required, and this machine has none, or none could be made for this call
 * - `option_invalid`: what the host configured cannot work
 * - `hosts_invalid`: an entry in the `hosts` of a call is not a host
 * - `job_unknown`: no command of that id runs in the background of the conversation, or it ended with the process that had started it
 * - `jobs_full`: as many commands run in the background as may
 * - `port_unavailable`: a port of a private network could not be opened to this machine
 * - `rule_invalid`: a pattern of `shellRule` would allow more than it says
 */
export type ShellErrorCode =
  | "syntax_refused"
  | "command_invalid"
  | "program_not_found"
  | "program_not_executable"
  | "command_failed"
  | "timeout"
  | "cancelled"
  | "start_failed"
  | "terminal_failed"
  | "isolation_unavailable"
  | "option_invalid"
  | "hosts_invalid"
  | "job_unknown"
  | "jobs_full"
  | "port_unavailable"
  | "rule_invalid";

export interface ShellErrorDetails extends ErrorOptions {
  position?: number | undefined;
  exitCode?: number | undefined;
  signal?: string | undefined;
  stdout?: string | undefined;
  stderr?: string | undefined;
  runsLater?: readonly string[] | undefined;
}

/** Thrown by the shell tool and its rules. The message is written for the model, or for the host who wrote a rule. */
export class ShellError extends Error {
  override readonly name = "ShellError";
  readonly code: ShellErrorCode;
  /** The system's own error may name other paths. */
  readonly hidesCause = true;
  /** The command or the pattern as it was given. */
  readonly command: string;
  /** UTF-16 offset in `command` of what was refused. */
  readonly position?: number;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly stdout?: string;
  readonly stderr?: string;
  /** Of a command that failed: what it changed that makes something run later. */
  readonly runsLater?: readonly string[];

  constructor(code: ShellErrorCode, command: string, message: string, details: ShellErrorDetails = {}) {
    const { position, exitCode, signal, stdout, stderr, runsLater, ...options } = details;
    super(message, options);
    this.code = code;
    this.command = command;
    if (position !== undefined) this.position = position;
    if (exitCode !== undefined) this.exitCode = exitCode;
    if (signal !== undefined) this.signal = signal;
    if (stdout !== undefined) this.stdout = stdout;
    if (stderr !== undefined) this.stderr = stderr;
    if (runsLater !== undefined) this.runsLater = runsLater;
  }
}
