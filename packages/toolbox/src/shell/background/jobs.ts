import type { LogEvent } from "@cogency/protocol";
import type { Key } from "@cogency/storage";

/** A command in the background, for a person to read. */
export interface JobState {
  readonly id: string;
  readonly command: string;
  /** How long it has run, or ran. */
  readonly seconds: number;
  /** `exit code 1`; undefined while it runs. */
  readonly ended: string | undefined;
  /** The last line that it printed. */
  readonly lastLine: string;
}

/**
 * The commands that run in the background of conversations, in this process. Give it to `shell`, and end what runs when a
 * conversation is left, and before the process ends.
 */
export interface Jobs {
  /** Those of a conversation, the oldest first; of those that have ended, the latest. */
  of(key: Key): readonly JobState[];
  /** Ends one with all that it has started. @throws ShellError `job_unknown` */
  stop(key: Key, id: string): Promise<void>;
  /** Ends those of a conversation, closes its ports, and forgets them. Resolves with the number of those that ran. */
  end(key: Key): Promise<number>;
  /** Ends those of all conversations. Resolves with the number of those that ran. */
  endAll(): Promise<number>;
  /**
   * Listens at this port of 127.0.0.1, and passes connections to the same port of the network that the commands of the conversation
   * share. Only a person may decide that. It is open until the commands of the conversation are ended.
   *
   * @throws ShellError `port_unavailable`
   */
  openPort(key: Key, port: number): Promise<void>;
  /** The ports that are open. */
  ports(key: Key): readonly number[];
  /** What the model is to be told when a run begins: which commands its log tells of and are gone. Undefined if there are none. */
  notice(key: Key, events: readonly LogEvent[]): string | undefined;
  /** Calls `listener` when one begins, ends or is forgotten, or a port is opened. Returns a function that ends that. */
  onChange(listener: () => void): () => void;
}

export interface JobsOptions {
  /**
   * Ports that are opened as `openPort` does, when a command begins in the background. Only a person may decide that. A port that
   * cannot be opened stops no command: the next one in the background tries again.
   */
  ports?: readonly number[] | undefined;
  /**
   * Called when a command in the background has ended by itself, and no call waits for that: a host may tell the conversation, with a
   * notice. What it throws is ignored.
   */
  onEnd?: ((key: Key, job: JobState) => void) | undefined;
  /** Called with the reason when one of `ports` cannot be opened; defaults to `console.warn`. */
  warn?: ((message: string) => void) | undefined;
}

export interface JobToolOptions {
  /** Those that `shell` has. */
  jobs: Jobs;
}
