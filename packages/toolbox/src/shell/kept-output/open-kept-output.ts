import type { KeptParts, PartKey } from "@cogency/tools/host";
import { checkOptionsOf } from "../../options.ts";
import type { UndoKey } from "../../undo/copy-folder.ts";
import { outputFiles } from "./output-files.ts";
import { outputInMemory } from "./output-in-memory.ts";

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

/** All that commands have printed, where their results show a part of it. */
export interface KeptOutput extends KeptParts {
  /** Removes what was kept of a conversation. */
  forget(key: UndoKey): Promise<void>;
  /** Lets a fork of a conversation read what was kept of it. */
  copy(from: UndoKey, to: UndoKey): Promise<void>;
}

/** Opens the place where `shell` keeps the whole output of commands, for `outputs` of `shellTool` and `parts` of `readResultTool`. */
export function openKeptOutput(options: KeptOutputOptions = {}): KeptOutput {
  checkOptionsOf("openKeptOutput", options);
  const { folder, maxBytes, redact } = options;
  const kept = folder === undefined ? outputInMemory(maxBytes) : outputFiles(folder, maxBytes);
  if (redact === undefined) return kept;
  return { ...kept, keep: (key: PartKey, text: string) => kept.keep(key, redact(text)) };
}
