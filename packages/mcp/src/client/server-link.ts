import type { ToolContext } from "@cogency/tools";
import type { Client } from "@modelcontextprotocol/client";
import type { McpServerOptions } from "./mcp-options.ts";

/** One server as the rooms of this folder see it, connected or not. */
export interface ServerLink {
  /** The name that the host gave to it. */
  readonly server: string;
  readonly options: McpServerOptions;
  /** Undefined while it is not connected. */
  readonly client: Client | undefined;
  /** The calls of its tools that run now, the oldest first. */
  readonly inFlight: readonly CallInFlight[];
  /**
   * The client of a server that is ready, or is about to be.
   *
   * @throws McpError `unavailable`, `login_needed`, `closed`; the reason of the signal
   */
  connected(signal?: AbortSignal): Promise<Client>;
  /** An error of a request to it as one sentence, without secrets. */
  problem(error: unknown): Error;
  /** Takes the secrets of its connector out of a text. */
  hide(text: string): string;
}

export interface CallInFlight {
  /** The server's own name of the tool. */
  readonly tool: string;
  readonly context: ToolContext;
  /** The id of its task, where it is one that has begun. */
  task?: string;
}
