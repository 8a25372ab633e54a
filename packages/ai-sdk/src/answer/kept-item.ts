import type { JsonObject } from "@cogency/protocol";
import { isObject, stringOf } from "@cogency/provider/http";
import { type Gate, metadataOf } from "./json-gate.ts";

/** A part that is no text and no call of ours, as it stands among the native blocks. Undefined for one that is not final. */
export function keptItem(given: Record<string, unknown>, gate: Gate): JsonObject | undefined {
  const metadata = metadataOf(given.providerMetadata, gate);
  const providerOptions = metadata ? { providerOptions: metadata } : {};
  const { toolCallId, toolName, mediaType } = given;
  const names = { toolCallId: stringOf(toolCallId), toolName: stringOf(toolName) };
  switch (given.type) {
    case "tool-call":
      return {
        type: "tool-call",
        ...names,
        input: inputOf(given.input, gate),
        providerExecuted: true,
        ...providerOptions,
      };
    case "tool-result": {
      // A later part has the whole result.
      if (given.preliminary === true) return undefined;
      const output = gate.json(given.result) ?? null;
      return {
        type: "tool-result",
        ...names,
        output,
        ...(given.isError === true && { failed: true }),
        ...providerOptions,
      };
    }
    case "file":
    case "reasoning-file":
      return { type: given.type, mediaType: stringOf(mediaType), ...dataOf(given.data), ...providerOptions };
    default:
      // Announces each answer of Anthropic, with its id and a usage of 0; prompts leave it out.
      if (given.kind === "anthropic.message_start") return undefined;
      return { type: "custom", kind: stringOf(given.kind), ...providerOptions };
  }
}

/** The call of a tool that the server runs has JSON text, which a prompt holds as a value. */
function inputOf(input: unknown, gate: Gate) {
  if (typeof input !== "string") return gate.json(input) ?? {};
  try {
    return gate.json(JSON.parse(input)) ?? {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** Specification v4 says of which kind data is; v3 and v2 give base64 text or bytes. */
function dataOf(given: unknown): { data: string } | { url: string } {
  if (isObject(given) && given.type === "url") return { url: String(given.url) };
  const data = isObject(given) && given.type === "data" ? given.data : given;
  return { data: data instanceof Uint8Array ? base64(data) : stringOf(data) };
}

function base64(bytes: Uint8Array): string {
  let text = "";
  // A call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += chunk) text += String.fromCharCode(...bytes.subarray(at, at + chunk));
  return btoa(text);
}

const chunk = 8_192;
