import type { Attachment } from "./attachment.ts";
import type { Json, JsonObject, JsonSchema } from "./json.ts";

/** One call that the model asks for. A tool whose type is known has calls with its name and arguments. */
export type ToolCall<Name extends string = string, Args extends JsonObject = JsonObject> = {
  name: Name;
  args: Args;
  /** Made by the runtime, `[A-Za-z0-9_-]{1,40}`. It is never written on the wire. */
  id?: string;
};

/** The result of one call, as the model reads it (protocol.md §1). */
export interface ToolResult {
  tool: string;
  status: "success" | "failure";
  /** Any JSON value on success; on failure the error message, a string. */
  content: Json;
  /** The model gets them after the results of the batch. The log holds them in the `finished` record of the call only. */
  attachments?: readonly Attachment[];
}

/** A tool as it is described to a model. */
export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema of the arguments. Its root is an object. */
  parameters: JsonSchema;
  /** Calls change nothing. Only such tools appear in the examples of the protocol prompt. */
  readOnly?: boolean;
}
