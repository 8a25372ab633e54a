import type { Capability } from "@cogency/agent";
import type { Json, JsonObject } from "@cogency/protocol";
import type { AttachedValue, ToolSource } from "@cogency/tools";
import type { McpRoot, McpServerState } from "./mcp-options.ts";

/**
 * MCP servers as a capability: `agent.use(servers)`. It connects when a run begins or when it is asked for something, and serves any
 * number of agents. Whoever made it closes it.
 */
export interface Mcp extends Capability {
  readonly name: "mcp";
  /** One for each server, with its name, and one for the tool that lists and reads resources. */
  readonly sources: readonly ToolSource[];
  servers(): readonly McpServerState[];
  /** Connects those that are not connected, and resolves when each is ready or has failed; never rejects. */
  connect(options?: { servers?: readonly string[]; signal?: AbortSignal }): Promise<readonly McpServerState[]>;
  prompts(): readonly McpPrompt[];
  /** The messages of a prompt. What they hold is untrusted. */
  prompt(
    server: string,
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: Asking,
  ): Promise<McpPromptText>;
  /** Resources and templates of the servers that are ready. */
  resources(): readonly McpResource[];
  read(server: string, uri: string, options?: Asking): Promise<AttachedValue<Json>>;
  /**
   * Lets the observer know when a resource changes (`resource_changed`), also after the server was connected again. Resolves with what
   * ends it.
   */
  watch(server: string, uri: string, options?: Asking): Promise<() => Promise<void>>;
  /** Proposals for an argument of a prompt or a variable of a template; empty where the server has none. */
  complete(server: string, of: CompletionOf, options?: Asking): Promise<readonly string[]>;
  /** Calls a tool by the server's own name, outside of a run: nobody is asked. */
  call(server: string, tool: string, args?: JsonObject, options?: Asking): Promise<McpCallResult>;
  /** Tells the servers that they may work in other folders now. @throws TypeError where `roots` was not given */
  setRoots(roots: readonly McpRoot[]): Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Asking {
  readonly signal?: AbortSignal | undefined;
}

export interface McpPrompt {
  readonly server: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly args: readonly {
    readonly name: string;
    readonly description?: string | undefined;
    readonly required: boolean;
  }[];
}

export interface McpPromptText {
  readonly text: string;
  readonly attachments: AttachedValue["attachments"];
}

export interface McpResource {
  readonly server: string;
  /** Absent for a template. */
  readonly uri?: string | undefined;
  /** Such as `file:///{path}`. */
  readonly template?: string | undefined;
  readonly name: string;
  readonly description?: string | undefined;
  readonly mediaType?: string | undefined;
}

export interface CompletionOf {
  readonly prompt?: string | undefined;
  readonly template?: string | undefined;
  readonly argument: string;
  readonly value: string;
  /** The arguments that are known already. */
  readonly known?: Readonly<Record<string, string>> | undefined;
}

export interface McpCallResult {
  readonly isError: boolean;
  readonly value: Json;
  readonly attachments: AttachedValue["attachments"];
}
