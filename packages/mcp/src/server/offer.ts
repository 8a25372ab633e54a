import type { Agent } from "@cogency/agent";
import type { ExecutorOptions, Registry, Tool, ToolSource } from "@cogency/tools";
import type { Transport } from "@modelcontextprotocol/server";
import type { McpOfferedPrompt } from "./prompts/offered-prompt.ts";
import type { McpResources } from "./resources/offered-resources.ts";

/** What a server offers to its clients, and to whom. One of `tools`, `registry` and `agent` is enough; they may stand together. */
export interface McpOffer {
  /** A list, or a source whose tools may change. */
  tools?: readonly Tool[] | ToolSource | undefined;
  registry?: Registry | undefined;
  /** An agent that is offered as one tool. */
  agent?: McpOfferedAgent | Agent | undefined;
  /**
   * Names of tools that clients may call as tasks: the call is answered at once, and its result is asked for later. Defaults to the tool of
   * `agent`. Give `[]` where the process does not live on after an answer.
   */
  tasks?: readonly string[] | undefined;
  resources?: McpResources | undefined;
  /** A list, or a function that is asked each time. */
  prompts?: readonly McpOfferedPrompt[] | (() => readonly McpOfferedPrompt[]) | undefined;
  /** What clients read. Defaults to `cogency`. */
  name?: string | undefined;
  /** Defaults to `0.0.0`. */
  version?: string | undefined;
  /** How clients should use the server; their models read it. */
  instructions?: string | undefined;
  /**
   * How calls run, as for an executor. Without rules of `approval`, calls of tools that change nothing run and others ask. They ask the
   * person at the client; `approval.approve` takes the place of that. `maxResultBytes` defaults to 1 MiB.
   */
  execution?: McpExecution | undefined;
  /**
   * Whose HTTP request it is; undefined refuses it with 401. Without it everybody who reaches the server may use it. Requests over other
   * transports are not asked about.
   */
  authenticate?: ((request: Request) => McpCaller | undefined | Promise<McpCaller | undefined>) | undefined;
  /** What clients need to log in, for `authenticate`. */
  protectedResource?: McpProtectedResource | undefined;
  /** Names of hosts, without ports, by which HTTP requests may address the server, beside `localhost`, `127.0.0.1` and `[::1]`. */
  allowedHosts?: readonly string[] | undefined;
  /** Names of hosts of web pages that may send requests, beside the same three. */
  allowedOrigins?: readonly string[] | undefined;
  /** Whether clients of earlier revisions get a session over HTTP. Without one nothing can be asked of them. Defaults to true. */
  sessions?: boolean | undefined;
  /**
   * Signs what a client of 2026-07-28 must bring back when it has answered a question: at least 32 bytes, the same in each process that
   * serves it. Defaults to a random one.
   */
  secret?: string | Uint8Array | undefined;
  limits?: McpServerLimits | undefined;
  /** Called with faults that no client is told about. Errors that it throws are ignored. */
  onError?: ((error: Error) => void) | undefined;
}

export type McpExecution = Omit<ExecutorOptions, "registry" | "throwOnToolFailure" | "stopOnToolBlock" | "earlyStart">;

/** Whose request it is. */
export interface McpCaller {
  readonly user: string;
  readonly scopes?: readonly string[] | undefined;
}

/** Metadata of a protected resource (RFC 9728), which clients read at `/.well-known/oauth-protected-resource`. */
export interface McpProtectedResource {
  /** The public address of the server: `https://tools.example.com/mcp`. */
  readonly resource: string;
  readonly authorizationServers: readonly string[];
  /** Scopes that a caller must have; a request without them gets 403. */
  readonly scopes?: readonly string[] | undefined;
  readonly name?: string | undefined;
}

export interface McpOfferedAgent {
  readonly agent: Agent;
  /** The name of the tool. Defaults to `ask_agent`. */
  readonly name?: string | undefined;
  /** What models read about it. */
  readonly description?: string | undefined;
  /** Milliseconds that one call may take beside its questions. Defaults to 10 minutes. */
  readonly timeout?: number | undefined;
}

export interface McpServerLimits {
  /** Bytes of one message. Defaults to 4 MiB. */
  readonly messageBytes?: number | undefined;
  /** Messages of one batch, of the revisions that have batches. Defaults to 20. */
  readonly batch?: number | undefined;
  /** How deep the JSON of a message may be nested. Defaults to 64. */
  readonly depth?: number | undefined;
  /** Milliseconds in which the body of a request must arrive. Defaults to 30,000. */
  readonly body?: number | undefined;
  /**
   * Sessions of one user, and in all. Defaults to 32 and 1,000. Above them the session ends that its user has left alone for the longest; if
   * all are in use, there is no other one.
   */
  readonly sessionsPerUser?: number | undefined;
  readonly sessions?: number | undefined;
  /** Milliseconds until a session ends that nobody uses. Defaults to 30 minutes. */
  readonly idle?: number | undefined;
  /** Calls of one user that run at the same time, tasks among them. Defaults to 32. */
  readonly calls?: number | undefined;
  /**
   * Tasks that are kept of one user, and in all. Defaults to 100 and 1,000. Above them one gives way that was cancelled or whose result its
   * client has read; if there is none of this user, there is no other task.
   */
  readonly tasksPerUser?: number | undefined;
  readonly tasks?: number | undefined;
  /** Milliseconds for which a task and its result are kept, at most and if the client names no time. Defaults to 1 hour. */
  readonly taskTtl?: number | undefined;
  /** Bytes that wait for a client that does not read, and that a session keeps for one that resumes. Defaults to 4 MiB. */
  readonly unreadBytes?: number | undefined;
  /** Milliseconds until a question counts as unanswered. Defaults to 10 minutes. */
  readonly answer?: number | undefined;
}

/** A server that serves any number of clients, of the revisions up to 2025-11-25 and of 2026-07-28. Whoever made it closes it. */
export interface McpServer {
  /** Serves one HTTP request, at any path. Never rejects. */
  handler(request: Request): Promise<Response>;
  /** Serves one client over a transport, which it starts and closes. */
  connect(transport: Transport): McpConnection;
  /** Tells clients that the tools have changed, those of a source for instance. */
  toolsChanged(): void;
  promptsChanged(): void;
  resourcesChanged(): void;
  /** Tells clients that have subscribed to it. */
  resourceUpdated(uri: string): void;
  /** Ends all sessions, connections and calls. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface McpConnection {
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}
