import type { Provider } from "@cogency/provider";
import type { Connector } from "./connector.ts";

export interface McpOptions {
  /** The servers by name: a letter, then letters, digits, `-` and `_`, at most 30. */
  servers: Readonly<Record<string, McpServerOptions>>;
  /** What servers are told about the program. Defaults to cogency. */
  client?: { readonly name: string; readonly version: string } | undefined;
  /** Folders that programs are told they may work in. Servers at addresses are told none. Defaults to none. */
  roots?: readonly McpRoot[] | undefined;
  /** Lets servers ask this model for text, one question to the person each. Without it servers cannot. */
  sampling?: SamplingOptions | undefined;
  /** Whether servers may ask the person, in the middle of a call. Defaults to true. */
  elicitation?: boolean | undefined;
  /** The least of what servers are asked to log. Defaults to what each of them logs by itself. */
  logLevel?: McpLogLevel | undefined;
  /** Called with each change of a server's state, and each line that it logs. Errors that it throws are ignored. */
  observer?: ((event: McpEvent) => void) | undefined;
}

export type McpLogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

export interface McpRoot {
  /** `file:///srv/project` */
  readonly uri: string;
  readonly name?: string | undefined;
}

export interface SamplingOptions {
  readonly provider: Provider;
  /** Tokens that all servers together may use in one run. Defaults to 20,000. */
  readonly maxTokens?: number | undefined;
  /** Tokens of one answer. Defaults to 2,000. */
  readonly maxAnswerTokens?: number | undefined;
}

/** One server. What has a default may be left out. */
export interface McpServerOptions {
  connector: Connector;
  /** The names of its tools, as the server calls them, that are used. Defaults to all. `*` stands for any letters. */
  tools?: readonly string[] | undefined;
  /** Tools that are not used, as in `tools`. */
  without?: readonly string[] | undefined;
  /**
   * Whether calls of a tool run, ask, or are denied, by the name of the tool or a pattern; the first that fits counts. Defaults to `ask`.
   * `resources/read` stands for a read of one of its resources.
   */
  approval?: Readonly<Record<string, "allow" | "ask" | "deny">> | undefined;
  /** Tools that the host vouches for: they change nothing. What the server says about that is not believed. */
  readOnly?: readonly string[] | undefined;
  /**
   * Media types that the model takes as files of results, beside pictures and PDF documents: `audio/*`. Another one is named in the text
   * of the result. A model that does not take a file refuses the whole request. Defaults to none.
   */
  attach?: readonly string[] | undefined;
  /** Milliseconds. */
  timeouts?:
    | {
        /** For connecting and listing. Defaults to 30,000. */
        readonly connect?: number | undefined;
        /** For one call. Defaults to 60,000. */
        readonly call?: number | undefined;
        /** For a call that tells its progress: from one message to the next. Defaults to that of one call. */
        readonly silence?: number | undefined;
        /** For a call that tells its progress, in all. Defaults to 600,000. */
        readonly total?: number | undefined;
      }
    | undefined;
  limits?:
    | {
        /** Bytes of one message. Defaults to 8 MiB. */
        readonly messageBytes?: number | undefined;
        /** Messages that the server sends without having been asked, in one minute. Defaults to 600. */
        readonly messagesPerMinute?: number | undefined;
        /** Tools, prompts, resources and templates, each. Defaults to 1,000. */
        readonly items?: number | undefined;
        /** Characters of one description. Defaults to 4,000. */
        readonly description?: number | undefined;
      }
    | undefined;
}

export type McpServerStatus = "connecting" | "ready" | "waiting" | "failed" | "needs_login" | "closed";

/** A server as a person sees it. */
export interface McpServerState {
  readonly name: string;
  readonly status: McpServerStatus;
  /** Why it is not ready: one sentence, without secrets. */
  readonly reason?: string | undefined;
  /** When it is tried again, in milliseconds since 1970. */
  readonly retryAt?: number | undefined;
  /** Revision of the protocol, such as `2025-11-25`. */
  readonly protocol?: string | undefined;
  /** What the server says about itself. */
  readonly title?: string | undefined;
  readonly version?: string | undefined;
  readonly kind: "http" | "program";
  readonly identity: string;
  /** Offered names, those of the host: `github__create_issue`. */
  readonly tools: readonly string[];
  readonly prompts: readonly string[];
  readonly resources: number;
  /** What was left out or changed of its lists, a sentence each: a collision, a schema that no wire takes, hidden characters. */
  readonly problems: readonly string[];
}

export type McpEvent =
  | { readonly type: "state"; readonly state: McpServerState }
  | { readonly type: "log"; readonly server: string; readonly level: string; readonly text: string }
  | { readonly type: "resource_changed"; readonly server: string; readonly uri: string };
