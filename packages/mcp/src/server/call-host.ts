import type { Attachment, Json, JsonObject } from "@cogency/protocol";
import type { ToolContext, ToolInput } from "@cogency/tools";
import type { InferAnswer } from "@cogency/tools/host";
import type { ClientInputs } from "./asking/client-inputs.ts";

/**
 * What the body of a tool, a prompt or a resource can ask of the client that has called. Tools get it as `ToolContext.host`; `mcpHost`
 * finds it there.
 *
 * In revision 2026-07-28 a server cannot send requests: the call ends with what it asks for, the client calls again with the answers, and
 * the body runs again from the top, where the same keys have their answers at once. So ask first, then act. Requests that a body makes
 * without waiting for one another, as with `Promise.all`, go out together.
 */
export interface McpCallHost {
  /** The revision of the protocol that the client speaks, such as `2025-11-25`. */
  readonly revision: string;
  /** What the client says about itself; nobody vouches for it. */
  readonly client: { readonly name: string; readonly version: string } | undefined;
  /** Whose request it is, as `authenticate` says. */
  readonly user: string | undefined;
  readonly scopes: readonly string[];
  /** What the client offers. Asking for anything else fails. */
  readonly can: { readonly elicit: boolean; readonly sample: boolean; readonly roots: boolean };
  readonly signal: AbortSignal;
  /** A line for the log of the client. It is dropped below the level that the client has set, and in 2026-07-28 unless it asks for logs. */
  log(level: McpLogLevel, data: Json, logger?: string): void;
  /**
   * Asks the person at the client for an object of texts, numbers, flags and choices.
   *
   * @param key names the question within the call: the same in each run of the body
   * @returns the answer, or undefined if the person declined
   * @throws McpHostError
   */
  elicit<const Schema extends ToolInput>(
    key: string,
    question: { readonly message: string; readonly schema: Schema },
  ): Promise<InferAnswer<Schema> | undefined>;
  /** Asks the model of the client. */
  sample(key: string, request: McpSampling): Promise<McpSampled>;
  /** The folders in which the client works. */
  roots(key?: string): Promise<readonly { readonly uri: string; readonly name?: string | undefined }[]>;
  /** Ends the stream of this request, which the client then resumes: for a call that takes long. Does nothing where streams do not resume. */
  releaseStream(): void;
}

export type McpLogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

export interface McpSampling {
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly text: string }[];
  /** Tokens of the answer, at most. */
  readonly maxTokens: number;
  readonly system?: string | undefined;
  readonly temperature?: number | undefined;
}

export interface McpSampled {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly model: string;
  readonly stopReason: string | undefined;
}

/** Why the client was not asked, or gave no answer that counts. */
export type McpHostErrorCode = "not_offered" | "no_answer" | "bad_answer" | "too_many";

export class McpHostError extends Error {
  override readonly name = "McpHostError";
  readonly code: McpHostErrorCode;
  /** What the client would have to offer, for `not_offered`. */
  readonly needs: JsonObject | undefined;

  constructor(code: McpHostErrorCode, message: string, needs?: JsonObject) {
    super(message);
    this.code = code;
    this.needs = needs;
  }
}

/** The hosts that the server has made, each with what it asks by: a tool must not take something else for one. */
const hosts = new WeakMap<object, ClientInputs>();

export function asCallHost(host: McpCallHost, inputs: ClientInputs): McpCallHost {
  hosts.set(host, inputs);
  return host;
}

/** The client of a call; undefined for a call that does not come from an MCP client. */
export function mcpHost({ host }: Pick<ToolContext, "host">): McpCallHost | undefined {
  return typeof host === "object" && host !== null && hosts.has(host) ? (host as McpCallHost) : undefined;
}

export function inputsOf(host: McpCallHost): ClientInputs | undefined {
  return hosts.get(host);
}
