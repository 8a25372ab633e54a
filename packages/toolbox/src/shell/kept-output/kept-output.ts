import type { KeptParts, PartKey } from "@cogency/tools/host";

/** What a host sets of the output that is kept. */
export interface KeptOutputOptions {
  /**
   * An absolute path: a folder that only the user may open, and that no tool may reach (see `guarded` of `openRoot`). Later processes
   * read there, too. Without it, the output is kept in the memory of this process.
   */
  folder?: string | undefined;
  /** The most bytes that is kept of all conversations; what was kept first goes first. Defaults to 512 MiB, and to 64 MiB in memory. */
  maxBytes?: number | undefined;
  /** What is written in place of a text, such as one without secrets. */
  redact?: ((text: string) => string) | undefined;
}

/** Whose output. */
export type KeptKey = Pick<PartKey, "conversation" | "user">;

/** All that commands have printed, where their results show a part of it. */
export interface KeptOutput extends KeptParts {
  /** Removes what was kept of a conversation. */
  forget(key: KeptKey): Promise<void>;
  /** Lets a fork of a conversation read what was kept of it. */
  copy(from: KeptKey, to: KeptKey): Promise<void>;
}
