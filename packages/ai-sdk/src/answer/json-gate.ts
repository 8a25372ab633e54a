import type { Json, JsonObject } from "@cogency/protocol";
import { type CompleteLimits, isObject, parseJSON } from "@cogency/provider/http";

/** Makes JSON of values that a model gave, which may hold anything. */
export interface Gate {
  /** The JSON text; undefined for a value that JSON cannot hold. */
  text(value: unknown): string | undefined;
  /**
   * A copy that is JSON; undefined for a value that JSON cannot hold.
   *
   * @throws ProviderError `answer_too_large` beyond `limits.depth`
   */
  json(value: unknown): Json | undefined;
}

/** @param name the model's server, for error messages */
export function jsonGate(name: string, limits: CompleteLimits): Gate {
  const text = (value: unknown) => {
    try {
      return JSON.stringify(value) as string | undefined;
    } catch {
      // It refers to itself, is nested without end, or holds a BigInt.
      return undefined;
    }
  };
  return {
    text,
    json(value) {
      const json = text(value);
      return json === undefined ? undefined : (parseJSON(json, name, limits) as Json);
    },
  };
}

/** Metadata of a part, which a later request sends back as `providerOptions`; undefined if there is none. */
export function metadataOf(value: unknown, gate: Gate): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const metadata = gate.json(value);
  return isObject(metadata) && Object.keys(metadata).length > 0 ? (metadata as JsonObject) : undefined;
}
