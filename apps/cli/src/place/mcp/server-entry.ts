/** A server of a configuration, as it stands there: `${NAME}` in its texts is not replaced yet. */
export type ServerEntry = ProgramEntry | AddressEntry;

interface OfBoth {
  /** Seconds that one call may take. */
  readonly timeout?: number;
  /** Seconds for connecting and listing. */
  readonly connectTimeout?: number;
  /** Its tools that are used, as it calls them; `*` stands for any letters. */
  readonly tools?: readonly string[];
  /** Its tools that are not used. */
  readonly without?: readonly string[];
  /** Whether calls of a tool run, ask, or are denied. */
  readonly approval?: Readonly<Record<string, "allow" | "ask" | "deny">>;
  /** Tools that the person vouches for: they change nothing. */
  readonly readOnly?: readonly string[];
  /** It stays in the file, and is not used. */
  readonly disabled?: boolean;
}

export interface ProgramEntry extends OfBoth {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where it runs. Defaults to the root of the agent, for one of a project to the folder of the project that names it; a path starts there. */
  readonly cwd?: string;
  /** In the sandbox of the commands of `shell`, without a network. */
  readonly sandbox?: boolean;
}

export interface AddressEntry extends OfBoth {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The key `mcp` of a configuration. */
export interface McpSettings {
  readonly servers?: Readonly<Record<string, ServerEntry>>;
  /** With more tools in all, the model finds those of servers by words. */
  readonly findAbove?: number;
}

export function isProgram(entry: ServerEntry): entry is ProgramEntry {
  return "command" in entry;
}

/** A person who gives a key of their own needs no login. */
export function hasOwnLogin(headers: AddressEntry["headers"] = {}): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
}
