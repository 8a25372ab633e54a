/**
 * What an editor does for the agent in one session. A part that the editor does not offer is absent: the agent then uses its own files
 * and its own processes.
 */
export interface Editor {
  readonly name?: string | undefined;
  readonly files?: EditorFiles | undefined;
  readonly terminals?: EditorTerminals | undefined;
}

/** Files as the editor has them, with what is not saved yet. */
export interface EditorFiles {
  /**
   * The whole text of a file.
   *
   * @param path absolute
   * @throws Error with what the editor said, such as that there is no such file
   */
  read?: ((path: string, signal?: AbortSignal) => Promise<string>) | undefined;
  /** Replaces the text of a file, in the editor and on the disk. @throws Error with what the editor said */
  write?: ((path: string, text: string, signal?: AbortSignal) => Promise<void>) | undefined;
}

/** Terminals that the person sees. */
export interface EditorTerminals {
  /** Starts a program. @throws Error with what the editor said */
  start(command: EditorCommand, signal?: AbortSignal): Promise<EditorTerminal>;
}

export interface EditorCommand {
  readonly command: string;
  readonly args?: readonly string[];
  /** Beside those that the editor gives by itself. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd?: string;
  /** Of the output, the last bytes that are kept. */
  readonly outputBytes?: number;
}

export interface EditorTerminal {
  /** The call of a tool shows the terminal once the tool has told its progress `{ type: "terminal", id }`. */
  readonly id: string;
  output(): Promise<{ readonly text: string; readonly isCut: boolean }>;
  ended(signal?: AbortSignal): Promise<{ readonly code?: number | undefined; readonly signal?: string | undefined }>;
  /** Ends the program; its output stays. */
  kill(): Promise<void>;
  /** Ends the program, and forgets it. */
  release(): Promise<void>;
}

/** An MCP server that the editor names, which it means to be used in the session. */
export type NamedServer =
  | {
      readonly type: "stdio";
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly type: "http" | "sse";
      readonly name: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };
