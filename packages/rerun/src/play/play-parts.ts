import type { Agent, AgentOptions, History } from "@cogency/agent";
import type { Attachment, Json, JsonSchema, ToolSpec } from "@cogency/protocol";
import type { Tool } from "@cogency/tools";
import type { RecordedToolDefinition } from "./played-calls.ts";
import type { WrittenForm } from "./write-answer.ts";

/** What an agent of a play is made with. All but `record` are options of `createAgent`. */
export interface PlayParts extends Required<Pick<AgentOptions, "provider" | "store" | "keyRing" | "clock" | "warn">> {
  readonly recordRequests: true;
  /** The driver of the recorded steps, where the conversation was recorded with `scriptedDriver`. */
  readonly driver?: AgentOptions["driver"];
  readonly record: RecordParts;
}

/** Parts for an agent whose own ones are not there. */
export interface RecordParts {
  /** Makes a tool whose calls end as they were recorded. */
  readonly tool: (definition: RecordedToolDefinition) => Tool;
  /** The same for each definition of the file beside a test. */
  readonly tools: (definitions: readonly object[]) => Tool[];
  /** For the option `history`: leaves out of each request the calls that the recorded one leaves out. */
  readonly history: History;
}

/** Makes the agent under test. */
export type MakeAgent = (parts: PlayParts) => Agent | Promise<Agent>;

export interface PlayOptions {
  /** How the recorded model wrote; `"scripted"` if the agent has the driver of the parts. Defaults to `"json"`. */
  writes?: WrittenForm | "scripted" | undefined;
  /** The name of the recorded provider, and of its model. Default to those of `scripted()`. */
  provider?: string | undefined;
  model?: string | undefined;
  /**
   * The recorded requests, in their order, as the file beside a test holds them: each request of the agent must be the same. Without them
   * nothing is compared.
   */
  requests?: readonly object[] | undefined;
  /** Lets the agent's own tools run. By default its calls end as they were recorded, and nothing runs. */
  runTools?: boolean | undefined;
  /** What the clock of the agent shows at the beginning: Unix time in seconds. It goes on by a tenth of a second at each look. */
  startsAt?: number | undefined;
}

/** What begins a turn, or lets it go on. A string is the prompt of a person. */
export type PlayInput =
  | string
  | PlayPrompt
  /** The person allows the open call of this tool, the first one if there are several. */
  | { readonly approve: string; readonly reason?: string | undefined }
  | { readonly deny: string; readonly reason?: string | undefined }
  /** The person, or the client, answers the open question of a call of this tool. */
  | { readonly answer: string; readonly content: Json }
  /** Words of the program that begin a turn. */
  | { readonly notice: string }
  /** The person cancels. */
  | { readonly cancel: true }
  /** The run goes on where an earlier one broke off. */
  | { readonly goOn: true };

export interface PlayPrompt {
  readonly text: string;
  readonly attachments?: readonly Attachment[] | undefined;
  /** Tools that the client brings. */
  readonly tools?: readonly ToolSpec[] | undefined;
  /** The answer must fit this schema. */
  readonly object?: JsonSchema | undefined;
  /** Where text in it came from that no person vouches for, or private text. */
  readonly untrusted?: string | undefined;
  readonly private?: string | undefined;
}
