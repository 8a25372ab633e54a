import type { Json, JsonObject, JsonSchema } from "./json.ts";

/** One call the model asks for. */
export interface ToolCall {
  name: string;
  args: JsonObject;
  /** Minted by the runtime, `[A-Za-z0-9_-]{1,40}`; never written on the wire. */
  id?: string;
}

/** One outcome as the model reads it, in call order (protocol.md §4). */
export interface ToolResult {
  tool: string;
  status: "success" | "failure";
  /** Any JSON value on success, the error message on failure. */
  content: Json;
}

/** What a model is told about a tool. */
export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema of the arguments; its root is an object. */
  parameters: JsonSchema;
  /** A call changes nothing. The protocol prompt prefers such a tool in its examples. */
  readOnly?: boolean;
}
