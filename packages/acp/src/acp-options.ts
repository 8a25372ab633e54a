import type { Agent } from "@cogency/agent";
import type { Questions } from "@cogency/server";
import type { Store } from "@cogency/storage";
import type { Editor, NamedServer } from "./editor.ts";

export interface AcpOptions {
  /** Who the agent is, as the editor shows it. */
  info: { name: string; title?: string | undefined; version: string };
  /** Where the conversations are. A session is a conversation: its id is the name. */
  store: Store;
  /**
   * Makes what works in a session, once for each that the editor begins, loads or resumes.
   *
   * @throws AuthenticationNeeded where a key is missing; RequestRefused for what cannot be, such as a folder that does not exist; any other
   * error becomes a fault of the agent with its message. The functions of `AcpOptions` and `AcpSession` may throw the same
   */
  open(opening: AcpOpening): Promise<AcpSession>;
  /** The sessions that an editor may find, the newest first. Without it, sessions cannot be listed. */
  list?: ((query: { cwd?: string | undefined; cursor?: string | undefined }) => Promise<AcpSessionList>) | undefined;
  /** Deletes a session. Without it, sessions cannot be deleted. */
  remove?: ((session: string) => Promise<void>) | undefined;
  /** Copies a session under another name, for `session/fork`. Without it, sessions cannot be forked. */
  fork?: ((session: string, as: string) => Promise<void>) | undefined;
  /** How a person gets what `AuthenticationNeeded` says is missing. Defaults to none. */
  authentication?: readonly AcpAuthentication[] | undefined;
  /** Servers that editors may name over HTTP. Defaults to neither: only programs. */
  mcp?: { http?: boolean | undefined; sse?: boolean | undefined } | undefined;
  /** Whether a session may reach other folders beside its own: `AcpOpening.additionalDirectories`. Defaults to false. */
  additionalDirectories?: boolean | undefined;
  /** Says to the person why a run failed. Defaults to a sentence for each kind of failure, without the words of a server. */
  explain?: ((error: Error) => string | undefined) | undefined;
  /** The most sessions that one editor may have open. Defaults to 32. */
  maxSessions?: number | undefined;
  /** Hears what went wrong without a request that could say so. */
  onError?: ((error: unknown) => void) | undefined;
}

export interface AcpAuthentication {
  readonly id: string;
  readonly name: string;
  /** What to do, such as which variable to set and where. */
  readonly description: string;
  /** @throws AuthenticationNeeded if it is still missing */
  check(): Promise<void>;
}

/** The editor asks for a session. */
export interface AcpOpening {
  /** The name of the conversation. */
  readonly session: string;
  /** `new` has no events yet; the others have some. */
  readonly kind: "new" | "load" | "resume" | "fork";
  /** The absolute path of the folder to work in. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly servers: readonly NamedServer[];
  /** The editor, for this session. */
  readonly editor: Editor;
}

/** What works in one session. The host makes it. */
export interface AcpSession {
  /** The agent now: asked for at each turn, so that a changed model counts from the next one on. */
  agent(): Promise<Pick<Agent, "run" | "recover" | "send">>;
  /** What to say beside a question for approval, and the rules that may be kept instead of a yes. */
  readonly questions?: Questions | undefined;
  readonly modes?: AcpModes | undefined;
  readonly settings?: AcpSettings | undefined;
  readonly commands?: AcpCommands | undefined;
  /** Told of each, so that the editor shows another state. Called once; what it returns ends it. */
  onChange?: ((changed: (what: "modes" | "settings" | "commands") => void) => () => void) | undefined;
  /**
   * Told of what the person should know and no turn says, such as a server that does not start. Called once; what it returns ends it. An
   * editor shows it as a notice, and one without notices with the next prompt.
   */
  onNotice?: ((tell: (text: string) => void) => () => void) | undefined;
  /** The tokens that the model takes. */
  contextWindow?: (() => number | undefined) | undefined;
  /** The currency of the prices that the agent counts with, such as `USD` (ISO 4217). Without it, costs are not told. */
  currency?: string | undefined;
  /** Whether nobody vouches for what a file holds, by its absolute path: a prompt with it makes the conversation untrusted. */
  isUntrusted?: ((path: string) => boolean) | undefined;
  /** What a call is called, does and touches, where the names of its tool and its arguments do not say so. */
  describeCall?: ((name: string, args: unknown) => Partial<CallDescription> | undefined) | undefined;
  /** The session is over, or the editor has gone. Its turn has ended. */
  close(): Promise<void>;
}

/** What an editor shows of a call, in its words. */
export interface CallDescription {
  readonly title: string;
  readonly kind: "read" | "edit" | "delete" | "move" | "search" | "execute" | "think" | "fetch" | "other";
  /** Absolute paths. */
  readonly locations: readonly { readonly path: string; readonly line?: number | undefined }[];
  /** What it changes in files; `oldText` is null for a new one. Paths are absolute. */
  readonly diffs: readonly { readonly path: string; readonly oldText: string | null; readonly newText: string }[];
}

/** Which calls run without a question. */
export interface AcpModes {
  readonly available: readonly { readonly id: string; readonly name: string; readonly description?: string }[];
  current(): string;
  /** @throws Error whose message the person reads */
  set(id: string): Promise<void>;
}

/** What a person may choose beside the mode, such as the model. */
export interface AcpSettings {
  list(): readonly AcpSetting[];
  /** @throws Error whose message the person reads */
  set(id: string, value: string): Promise<void>;
}

export interface AcpSetting {
  readonly id: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly category?: "model" | "thought_level" | "model_config" | "other" | undefined;
  readonly current: string;
  readonly choices: readonly { readonly value: string; readonly name: string; readonly description?: string }[];
}

/** Commands that a person types as `/name`. */
export interface AcpCommands {
  list(): readonly { readonly name: string; readonly description: string; readonly hint?: string | undefined }[];
  /**
   * What the words of a command are to the model. Undefined for one that is carried out already, or where the text is no command and is
   * sent as it is.
   *
   * @param say shows a text to the person, which the model does not read
   */
  expand(text: string, say: (text: string) => void): Promise<ExpandedCommand | undefined>;
}

export type ExpandedCommand =
  | { readonly type: "prompt"; readonly text: string }
  /** It was carried out, and no turn begins. */
  | { readonly type: "done" };

export interface AcpSessionList {
  readonly sessions: readonly AcpSessionEntry[];
  readonly next?: string | undefined;
}

export interface AcpSessionEntry {
  readonly session: string;
  readonly cwd: string;
  readonly title?: string | undefined;
  /** Unix time in milliseconds. */
  readonly updatedAt?: number | undefined;
}
