import type { MessageForm } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";

/**
 * How a request wants to be answered, as its system prompt teaches it: with decisions of ReAct, or in a dialect of the text protocol.
 * A prompt that teaches nothing wants plain text and native calls.
 */
export function formOf({ system }: Pick<ModelRequest, "system">): MessageForm {
  if (/^## Decisions$/m.test(system)) return "react";
  if (!/^## Protocol$/m.test(system)) return "native";
  return /^<execute>\s*</m.test(system) ? "xml" : "json";
}

/** The JSON Schema that the answer must fit: that of the request, or the one that the system prompt shows. */
export function schemaOf({ system, format }: Pick<ModelRequest, "system" | "format">): unknown {
  if (format && !isDecision(format)) return format;
  const shown = /It must fit this JSON Schema:\n+(\{.*\})$/m.exec(system)?.[1];
  try {
    return shown && JSON.parse(shown);
  } catch {
    return undefined;
  }
}

/** Whether a schema is that of a decision of ReAct, of whose fields the answer is one. */
export function isDecision(format: ModelRequest["format"]): boolean {
  const { properties } = (format ?? {}) as { properties?: Record<string, unknown> };
  return properties?.thought !== undefined && properties.decision !== undefined;
}
